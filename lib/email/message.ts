import type { EmailLane } from "./lanes";

/** An outbox row on its way. Its id makes the message id, so the same row is never two messages. */
export type OutgoingEmail = {
  id: string;
  lane: EmailLane;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** Takes e-mails to their recipients. */
export type Transport = {
  name: "resend" | "smtp" | "mailbox";
  /** How many e-mails of each lane it takes at the same time. */
  connections: Readonly<Record<EmailLane, number>>;
  /** Throws when the provider did not take it, or did not say so in time. */
  send(mail: OutgoingEmail): Promise<void>;
  /** Closes the connections that it keeps; what is being sent on them fails. It may be used again. */
  close?(): void;
};

/** The recipient was refused for good: trying again would change nothing. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/** How long a provider may take, in milliseconds. */
export const PROVIDER_PATIENCE = 20_000;

/** The message as nodemailer takes it: text and HTML, an id that never changes, no answer from robots. */
export function messageOf(mail: OutgoingEmail, from: string) {
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.createdAt,
    messageId: `<${mail.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

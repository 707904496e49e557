import type { EmailLane } from "./lanes";

/** An outbox row to send. The message id contains its id, so a row that is sent twice is one message. */
export type OutgoingEmail = {
  id: string;
  lane: EmailLane;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** Sends e-mails through a provider. */
export type Transport = {
  name: "resend" | "smtp" | "mailbox";
  /** How many e-mails of each lane it sends at the same time. */
  connections: Readonly<Record<EmailLane, number>>;
  /** Throws when the provider refuses the e-mail or does not answer in time. */
  send(mail: OutgoingEmail): Promise<void>;
  /** Closes open connections, so e-mails that are being sent fail. The transport can be used again. */
  close?(): void;
};

/** The recipient was refused permanently, so a retry is useless. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/** Timeout of a provider, in milliseconds. */
export const PROVIDER_TIMEOUT_MS = 20_000;

/** The message for nodemailer: text and HTML, a stable message id, and a header that prevents automatic replies. */
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

import type { Env } from "@/lib/env";

/** An outbox row on its way. Its id makes the message id, so the same row is never two messages. */
export type OutgoingEmail = {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

/** Takes one e-mail to its recipient. `send` throws when the provider did not take it. */
export type Transport = {
  name: "resend" | "smtp" | "mailbox";
  send(mail: OutgoingEmail): Promise<void>;
};

export type MailSettings = Pick<
  Env,
  "APP_ENV" | "DATA_DIR" | "MAIL_FROM" | "RESEND_API_KEY" | "RESEND_BASE_URL" | "SMTP_URL"
>;

/** The recipient was refused for good: trying again would change nothing. */
export class RecipientRefused extends Error {
  override readonly name = "RecipientRefused";
}

/** How long a provider may take, in milliseconds. */
export const PROVIDER_PATIENCE = 20_000;

import { resolve } from "node:path";
import { env } from "@/lib/env";
import { mailboxTransport } from "./mailbox";
import { resendTransport } from "./resend";
import { smtpTransport } from "./smtp";
import type { MailSettings, Transport } from "./types";

/** Where the local mailbox keeps its messages. */
export function mailboxFolder(settings: Pick<MailSettings, "DATA_DIR"> = env()): string {
  return resolve(/* turbopackIgnore: true */ settings.DATA_DIR, "mailbox");
}

/** The transport that the settings choose: Resend, SMTP or, outside production, the local mailbox. */
export function transportFor(settings: MailSettings): Transport {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL, MAIL_FROM } = settings;
  if (RESEND_API_KEY) return resendTransport(RESEND_API_KEY, MAIL_FROM, RESEND_BASE_URL);
  if (SMTP_URL) return smtpTransport(SMTP_URL, MAIL_FROM);
  if (settings.APP_ENV === "production") throw new Error("a mail provider is needed in production");
  return mailboxTransport(mailboxFolder(settings), MAIL_FROM);
}

let chosen: Transport | undefined;

/** This process's transport, chosen by environment at first use. */
export function mailTransport(): Transport {
  chosen ??= transportFor(env());
  return chosen;
}

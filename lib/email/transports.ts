import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createTransport } from "nodemailer";
import { Resend } from "resend";
import { type Env, env } from "@/lib/env";
import { messageOf, type OutgoingEmail, PROVIDER_PATIENCE, type Transport } from "./message";
import { smtpTransport } from "./smtp";

export type MailSettings = Pick<
  Env,
  "APP_ENV" | "DATA_DIR" | "MAIL_FROM" | "RESEND_API_KEY" | "RESEND_BASE_URL" | "SMTP_URL"
>;

/** Keeps each message as an RFC 822 file `<time>-<id>.eml` in a folder; delivered again, it is the same file. */
function mailboxTransport(folder: string, from: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    name: "mailbox",
    connections: { account: 2, receipt: 8 },
    async send(mail: OutgoingEmail) {
      const { message } = await composer.sendMail(messageOf(mail, from));
      const name = `${mail.createdAt.toISOString().replace(/[-:.]/g, "")}-${mail.id}.eml`;
      await mkdir(folder, { recursive: true });
      // Written aside and renamed: a reader never meets half a message.
      const aside = join(folder, `.${name}.part`);
      await writeFile(aside, message as Buffer);
      await rename(aside, join(folder, name));
    },
  };
}

/** Delivers by Resend. The outbox row's id is the idempotency key: a repeated delivery is one message. */
function resendTransport(apiKey: string, from: string, baseUrl?: string): Transport {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {});
  return {
    name: "resend",
    connections: { account: 2, receipt: 2 },
    async send({ id, recipient, subject, text, html }: OutgoingEmail) {
      const message = {
        from,
        to: [recipient],
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated" },
      };
      const { error } = await inTime(resend.emails.send(message, { idempotencyKey: id }));
      if (error) throw new Error(`Resend: ${error.name}: ${error.message}`);
    },
  };
}

/** The client itself waits for ever. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Resend: no answer in time")), PROVIDER_PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

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

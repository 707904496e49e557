import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createTransport } from "nodemailer";
import { type Env, env } from "@/lib/env";
import { messageOf, type OutgoingEmail, type Transport } from "./message";
import { resendTransport } from "./resend";
import { smtpTransport } from "./smtp";

export type MailSettings = Pick<
  Env,
  "APP_ENV" | "DATA_DIR" | "MAIL_FROM" | "RESEND_API_KEY" | "RESEND_BASE_URL" | "SMTP_URL"
>;

/** The name of an e-mail's file in the local mailbox. */
export const mailboxFile = ({ createdAt, id }: Pick<OutgoingEmail, "createdAt" | "id">): string =>
  `${createdAt.toISOString().replace(/[-:.]/g, "")}-${id}.eml`;

/** Writes each message to an RFC 822 file `<time>-<id>.eml` in a folder. Sending it again replaces the file. */
function mailboxTransport(folder: string, from: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    name: "mailbox",
    connections: { account: 2, receipt: 8 },
    async send(mail: OutgoingEmail) {
      const { message } = await composer.sendMail(messageOf(mail, from));
      const name = mailboxFile(mail);
      // A rename is atomic, so a reader never sees half a message.
      const temporary = join(folder, `.${name}.part`);
      await writeFile(temporary, message).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        await mkdir(folder, { recursive: true });
        await writeFile(temporary, message);
      });
      await rename(temporary, join(folder, name));
    },
  };
}

/** The folder of the local mailbox. */
export function mailboxFolder(settings: Pick<MailSettings, "DATA_DIR"> = env()): string {
  return resolve(/* turbopackIgnore: true */ settings.DATA_DIR, "mailbox");
}

/**
 * The transport of these settings: Resend, SMTP or, outside production, the local mailbox.
 * Throws in production without a provider.
 */
export function transportFor(settings: MailSettings): Transport {
  const { RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL, MAIL_FROM } = settings;
  if (RESEND_API_KEY) return resendTransport(RESEND_API_KEY, MAIL_FROM, RESEND_BASE_URL);
  if (SMTP_URL) return smtpTransport(SMTP_URL, MAIL_FROM);
  if (settings.APP_ENV === "production") throw new Error("a mail provider is needed in production");
  return mailboxTransport(mailboxFolder(settings), MAIL_FROM);
}

let current: Transport | undefined;

/** The transport of this process, selected by the environment on first use. */
export function mailTransport(): Transport {
  current ??= transportFor(env());
  return current;
}

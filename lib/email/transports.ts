import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createTransport, type Transporter } from "nodemailer";
import { type ErrorResponse, Resend } from "resend";
import { type Env, env } from "@/lib/env";
import {
  BatchRefused,
  EMAIL_LANES,
  type EmailLane,
  NotSent,
  type OutgoingEmail,
  RecipientRefused,
  type Transport,
} from "./message";

/** Timeout of a provider, in milliseconds. */
const PROVIDER_TIMEOUT_MS = 20_000;

const messageOf = ({ recipient, subject, text, html }: OutgoingEmail, from: string) => ({
  from,
  to: [recipient],
  subject,
  text,
  html,
  headers: { "Auto-Submitted": "auto-generated" },
});

function identified(mail: OutgoingEmail, from: string) {
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return { ...messageOf(mail, from), date: mail.createdAt, messageId: `<${mail.id}@${domain}>` };
}

/** In milliseconds. `silence` is longer: a retry after it may send a message twice (RFC 5321, 4.5.3.2.6). */
type SmtpTimeouts = { greeting: number; silence: number };
const TIMEOUTS: SmtpTimeouts = { greeting: PROVIDER_TIMEOUT_MS, silence: 60_000 };

/** Connections of each lane: a code never waits for a connection that sends receipts. */
const CONNECTIONS: Readonly<Record<EmailLane, number>> = { account: 4, receipt: 8 };

/** The URL with the options of a pool. nodemailer ignores options beside a URL; those of the operator win. */
function pooledUrl(url: string, maxConnections: number, { greeting, silence }: SmtpTimeouts): string {
  const pooled = new URL(url);
  const options = {
    pool: true,
    maxConnections,
    // The outbox repeats a message whose connection was lost; the pool would do it without counting the attempts.
    maxRequeues: 0,
    dnsTimeout: greeting,
    connectionTimeout: greeting,
    greetingTimeout: greeting,
    socketTimeout: silence,
  };
  for (const [name, value] of Object.entries(options)) {
    if (!pooled.searchParams.has(name)) pooled.searchParams.set(name, String(value));
  }
  return pooled.href;
}

/** Maps a permanent refusal of the recipient (550 or above) to RecipientRefused; other errors stay as they are. */
function mapRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return error;
  const refused = error.code === "EENVELOPE" && Number(error.responseCode) >= 550;
  return refused ? new RecipientRefused(error.message, { cause: error }) : error;
}

function closed(): PromiseWithResolvers<never> {
  const closing = Promise.withResolvers<never>();
  // Nothing may be waiting for it.
  closing.promise.catch(() => undefined);
  return closing;
}

/** Sends by SMTP, a pool a lane. `url` is as nodemailer's: smtp://user:password@host:port. */
export function smtpTransport(url: string, from: string, timeouts: SmtpTimeouts = TIMEOUTS): Transport {
  const pools: Partial<Record<EmailLane, Transporter>> = {};
  let closing = closed();
  return {
    name: "smtp",
    connections: CONNECTIONS,
    async send(mail: OutgoingEmail) {
      const { lane } = mail;
      pools[lane] ??= createTransport(pooledUrl(url, CONNECTIONS[lane], timeouts));
      try {
        await Promise.race([pools[lane].sendMail(identified(mail, from)), closing.promise]);
      } catch (error) {
        throw mapRefusal(error);
      }
    },
    close() {
      // nodemailer lets a message that is being sent wait for its timeout, and a closed pool cannot be used again.
      closing.reject(new Error("SMTP: closed"));
      closing = closed();
      for (const lane of EMAIL_LANES) {
        pools[lane]?.close();
        delete pools[lane];
      }
    },
  };
}

/** Errors about what is in a batch, which concern one of its e-mails or the key that it was sent with before. */
const ABOUT_CONTENT: readonly ErrorResponse["name"][] = [
  "validation_error",
  "missing_required_field",
  "invalid_parameter",
  "invalid_idempotent_request",
];

const textOf = ({ name, message }: ErrorResponse) => `Resend: ${name}: ${message}`;

/** The error of a batch. After a 5xx, and while Resend works on the same batch, it is unknown whether it was sent. */
function batchError(error: ErrorResponse): Error {
  if (ABOUT_CONTENT.includes(error.name)) return new BatchRefused(textOf(error));
  const { statusCode, name } = error;
  const refused = statusCode !== null && statusCode >= 400 && statusCode < 500;
  const isKnown = refused && statusCode !== 408 && name !== "concurrent_idempotent_requests";
  return new (isKnown ? NotSent : Error)(textOf(error));
}

/** Through Resend, receipts in batches. By its idempotency key, a message is delivered once in 24 hours. */
export function resendTransport(apiKey: string, from: string, baseUrl?: string): Transport {
  const resend = new Resend(apiKey, baseUrl ? { baseUrl: baseUrl.replace(/\/$/, "") } : {});
  const ours = (mail: OutgoingEmail) => messageOf(mail, from);
  return {
    name: "resend",
    connections: { account: 2, receipt: 2 },
    async send(mail) {
      const { error } = await withTimeout(resend.emails.send(ours(mail), { idempotencyKey: mail.id }));
      if (error) throw new Error(textOf(error));
    },
    batches: {
      limit: 100,
      async send(mails, key) {
        // Permissive: an e-mail that Resend cannot accept does not hold up the others.
        const options = { idempotencyKey: key, batchValidation: "permissive" } as const;
        const { data, error } = await withTimeout(resend.batch.send(mails.map(ours), options));
        if (error) throw batchError(error);
        const refused = new Map((data.errors ?? []).map(({ index, message }) => [index, message]));
        return mails.map((_, index) => {
          const message = refused.get(index);
          return message === undefined ? null : new Error(`Resend: ${message}`);
        });
      },
    },
  };
}

/** Adds a timeout, which Resend's client lacks. Throws when it elapses. */
function withTimeout<T>(work: Promise<T>): Promise<T> {
  const timeout = pause(PROVIDER_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error("Resend: no answer in time");
  });
  return Promise.race([work, timeout]);
}

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
      const { message } = await composer.sendMail(identified(mail, from));
      const name = mailboxFile(mail);
      // A rename is atomic, so a reader never sees half a message.
      const temporary = join(folder, `.${name}.part`);
      await mkdir(folder, { recursive: true });
      await writeFile(temporary, message);
      await rename(temporary, join(folder, name));
    },
  };
}

/** The folder of the local mailbox. */
export function mailboxFolder(settings: Pick<MailSettings, "DATA_DIR"> = env()): string {
  return resolve(/* turbopackIgnore: true */ settings.DATA_DIR, "mailbox");
}

/** Resend, SMTP or, outside production, the local mailbox. Throws in production without a provider. */
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

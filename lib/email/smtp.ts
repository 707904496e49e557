import { createTransport, type Transporter } from "nodemailer";
import type { EmailLane } from "./lanes";
import {
  messageOf,
  type OutgoingEmail,
  PROVIDER_TIMEOUT_MS,
  RecipientRefused,
  type Transport,
} from "./message";

/**
 * Timeouts of a mail server in milliseconds: `greeting` until it greets, `silence` between two of its answers. The second
 * is longer, because a retry after it may send an accepted message twice (RFC 5321, 4.5.3.2.6).
 */
export type SmtpTimeouts = { greeting: number; silence: number };
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

/** A promise that rejects when the transport is closed. */
function closed(): PromiseWithResolvers<never> {
  const closing = Promise.withResolvers<never>();
  // Nothing may be waiting for it.
  closing.promise.catch(() => undefined);
  return closing;
}

/**
 * Sends by SMTP over a pool of connections for each lane. `url` has nodemailer's format
 * (smtp://user:password@host:port).
 */
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
        await Promise.race([pools[lane].sendMail(messageOf(mail, from)), closing.promise]);
      } catch (error) {
        throw mapRefusal(error);
      }
    },
    close() {
      // nodemailer lets a message that is being sent wait for its timeout, and a closed pool cannot be used again.
      closing.reject(new Error("SMTP: closed"));
      closing = closed();
      for (const lane of ["account", "receipt"] as const) {
        pools[lane]?.close();
        delete pools[lane];
      }
    },
  };
}

import { Readable } from "node:stream";
import { parseConnectionUrl } from "nodemailer/lib/shared/index.js";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { type ComposedMessage, composeMessage } from "./compose";
import type { EmailLane } from "./lanes";
import { type OutgoingEmail, PROVIDER_TIMEOUT_MS, RecipientRefused, type Transport } from "./message";

/**
 * Timeouts of a mail server in milliseconds: `step` until it has the whole message, `acceptance` until it confirms it.
 * The second is long, because a retry after it may send an accepted message twice (RFC 5321, 4.5.3.2.6).
 */
export type SmtpTimeouts = { step: number; acceptance: number };
const TIMEOUTS: SmtpTimeouts = { step: PROVIDER_TIMEOUT_MS, acceptance: 5 * 60_000 };

/** An idle connection is closed after IDLE_MS, and any connection after MAX_MESSAGES, as many servers do too. */
const IDLE_MS = 5_000;
const MAX_MESSAGES = 100;

/** One connection to a mail server, which sends one message at a time. After an error it cannot be used again. */
class PooledConnection {
  // The types of nodemailer lack `allowsAuth`: whether the server accepts a password.
  private readonly connection: SMTPConnection & { allowsAuth?: boolean };
  private error: Error | undefined;
  private onError: ((error: Error) => void) | undefined;
  private idle: NodeJS.Timeout | undefined;
  private opened = false;
  private messages = 0;

  constructor(
    private readonly options: SMTPConnection.Options,
    private readonly timeouts: SmtpTimeouts,
    private readonly onClose: () => void,
  ) {
    this.connection = new SMTPConnection({
      ...options,
      dnsTimeout: timeouts.step,
      connectionTimeout: timeouts.step,
      greetingTimeout: timeouts.step,
      // Longer than the timer of a message in send(), which decides.
      socketTimeout: timeouts.step + timeouts.acceptance,
    });
    this.connection.on("error", (error: Error) => this.fail(error));
    this.connection.once("end", () => this.fail(new Error("SMTP: the server closed the connection")));
  }

  get usable(): boolean {
    return !this.error && this.messages < MAX_MESSAGES;
  }

  /** Sends a message. Throws the server's refusal, or an error when it does not answer in time. */
  async send(message: ComposedMessage): Promise<void> {
    clearTimeout(this.idle);
    this.messages += 1;
    let timer: NodeJS.Timeout | undefined;
    const failAfter = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => this.fail(new Error("SMTP: no answer in time")), milliseconds);
    };
    try {
      await new Promise<void>((done, fail) => {
        this.onError = fail;
        if (this.error) return fail(this.error);
        failAfter(this.timeouts.step);
        const body = Readable.from([message.content]).once("end", () => failAfter(this.timeouts.acceptance));
        this.open(() =>
          this.connection.send(message.envelope, body, (error) => (error ? this.fail(error) : done())),
        );
      });
    } finally {
      clearTimeout(timer);
      this.onError = undefined;
    }
  }

  /** Closes the connection unless send() is called within IDLE_MS. */
  closeWhenIdle(): void {
    this.idle = setTimeout(() => this.close(), IDLE_MS);
    this.idle.unref();
  }

  close(): void {
    this.fail(new Error("SMTP: closed"));
  }

  private open(then: () => void): void {
    if (this.opened) {
      then();
      return;
    }
    const { auth } = this.options;
    const answered = (next: () => void) => (error?: Error | null) => (error ? this.fail(error) : next());
    const ready = answered(() => {
      this.opened = true;
      then();
    });
    const connected = answered(() => {
      if (!auth || !("pass" in auth) || !this.connection.allowsAuth) ready();
      else this.connection.login({ credentials: { user: auth.user, pass: auth.pass } }, ready);
    });
    this.connection.connect(connected);
  }

  private fail(error: Error): void {
    clearTimeout(this.idle);
    this.error ??= error;
    this.onError?.(this.error);
    this.connection.close();
    this.onClose();
  }
}

/** Maps a permanent refusal of the recipient (550 or above) to RecipientRefused; other errors stay as they are. */
function mapRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return error;
  const refused = error.code === "EENVELOPE" && Number(error.responseCode) >= 550;
  return refused ? new RecipientRefused(error.message, { cause: error }) : error;
}

/**
 * Sends by SMTP over a pool of connections for each lane. `url` has nodemailer's format
 * (smtp://user:password@host:port).
 */
export function smtpTransport(url: string, from: string, timeouts: SmtpTimeouts = TIMEOUTS): Transport {
  // nodemailer ignores options beside a URL, so the URL is parsed here.
  const options = parseConnectionUrl(url);
  const idle: Record<EmailLane, PooledConnection[]> = { account: [], receipt: [] };
  const open = new Set<PooledConnection>();

  function connectionFor(lane: EmailLane): PooledConnection {
    for (let kept = idle[lane].pop(); kept; kept = idle[lane].pop()) if (kept.usable) return kept;
    const connection = new PooledConnection(options, timeouts, () => open.delete(connection));
    open.add(connection);
    return connection;
  }

  return {
    name: "smtp",
    connections: { account: 4, receipt: 8 },
    async send(mail: OutgoingEmail) {
      const message = composeMessage(mail, from);
      const connection = connectionFor(mail.lane);
      try {
        await connection.send(message);
      } catch (error) {
        connection.close();
        throw mapRefusal(error);
      }
      if (!connection.usable) return connection.close();
      connection.closeWhenIdle();
      idle[mail.lane].push(connection);
    },
    close() {
      for (const each of [...open]) each.close();
    },
  };
}

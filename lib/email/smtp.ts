import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import { parseConnectionUrl } from "nodemailer/lib/shared/index.js";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import type { EmailLane } from "./lanes";
import {
  messageOf,
  type OutgoingEmail,
  PROVIDER_PATIENCE,
  RecipientRefused,
  type Transport,
} from "./message";

/**
 * Milliseconds a mail server may take: `step` until it has the whole message, `acceptance` to say that it took it. The
 * second is long, since giving up there would send the message again that it may have taken (RFC 5321, 4.5.3.2.6).
 */
export type SmtpPatience = { step: number; acceptance: number };
const PATIENCE: SmtpPatience = { step: PROVIDER_PATIENCE, acceptance: 5 * 60_000 };

/** After so long without a message, or so many messages, a connection is closed: many servers do it themselves. */
const IDLE_MS = 5_000;
const MESSAGES_A_CONNECTION = 100;

type Message = { envelope: SMTPConnection.Envelope; content: Buffer };

/** One connection to a mail server, which takes one message after the other. After a fault it is closed for good. */
class Line {
  // Its types leave out whether the server takes a password at all.
  private readonly connection: SMTPConnection & { allowsAuth?: boolean };
  private fault: Error | undefined;
  private onFault: ((error: Error) => void) | undefined;
  private idle: NodeJS.Timeout | undefined;
  private opened = false;
  private messages = 0;

  constructor(
    private readonly options: SMTPConnection.Options,
    private readonly patience: SmtpPatience,
    private readonly onClose: () => void,
  ) {
    this.connection = new SMTPConnection({
      ...options,
      dnsTimeout: patience.step,
      connectionTimeout: patience.step,
      greetingTimeout: patience.step,
      // The timer of each message decides before the library does.
      socketTimeout: patience.step + patience.acceptance,
    });
    this.connection.on("error", (error: Error) => this.fail(error));
    this.connection.once("end", () => this.fail(new Error("SMTP: the server closed the connection")));
  }

  get usable(): boolean {
    return !this.fault && this.messages < MESSAGES_A_CONNECTION;
  }

  /** Hands the message over. Throws what the server answered, or that it did not answer in time. */
  async send(message: Message): Promise<void> {
    clearTimeout(this.idle);
    this.messages += 1;
    let timer: NodeJS.Timeout | undefined;
    const wait = (patience: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => this.fail(new Error("SMTP: no answer in time")), patience);
    };
    try {
      await new Promise<void>((done, fail) => {
        this.onFault = fail;
        if (this.fault) return fail(this.fault);
        wait(this.patience.step);
        const body = Readable.from([message.content]).once("end", () => wait(this.patience.acceptance));
        this.open(() =>
          this.connection.send(message.envelope, body, (error) => (error ? this.fail(error) : done())),
        );
      });
    } finally {
      clearTimeout(timer);
      this.onFault = undefined;
    }
  }

  /** Closes the connection unless another message comes within IDLE_MS. */
  rest(): void {
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
    this.fault ??= error;
    this.onFault?.(this.fault);
    this.connection.close();
    this.onClose();
  }
}

/** The code 5xx of RCPT TO: the recipient is refused for good. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || !("responseCode" in error)) return error;
  const refused = error.code === "EENVELOPE" && Number(error.responseCode) >= 550;
  return refused ? new RecipientRefused(error.message, { cause: error }) : error;
}

/**
 * Delivers by SMTP over connections that are kept while messages follow each other, separate ones for each lane; `url`
 * as nodemailer reads it (smtp://user:password@host:port).
 */
export function smtpTransport(url: string, from: string, patience: SmtpPatience = PATIENCE): Transport {
  // nodemailer ignores options that stand beside a URL, so it is read here.
  const options = parseConnectionUrl(url);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const resting: Record<EmailLane, Line[]> = { account: [], receipt: [] };
  const open = new Set<Line>();

  function line(lane: EmailLane): Line {
    for (let kept = resting[lane].pop(); kept; kept = resting[lane].pop()) if (kept.usable) return kept;
    const made = new Line(options, patience, () => open.delete(made));
    open.add(made);
    return made;
  }

  return {
    name: "smtp",
    connections: { account: 4, receipt: 8 },
    async send(mail: OutgoingEmail) {
      const { envelope, message } = await composer.sendMail(messageOf(mail, from));
      const used = line(mail.lane);
      try {
        await used.send({ envelope, content: message as Buffer });
      } catch (error) {
        used.close();
        throw asRefusal(error);
      }
      if (!used.usable) return used.close();
      used.rest();
      resting[mail.lane].push(used);
    },
    close() {
      for (const each of [...open]) each.close();
    },
  };
}

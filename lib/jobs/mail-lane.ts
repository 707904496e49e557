import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "@/lib/db/client";
import { redactEmails } from "@/lib/domain/contact";
import type { EmailLane } from "@/lib/email/lanes";
import type { Transport } from "@/lib/email/message";
import {
  type ClaimedEmail,
  claimEmails,
  giveBack,
  type MailOutcome,
  recordOutcomes,
  stillClaimed,
} from "@/lib/email/outbox";

/** Milliseconds between two looks into an empty lane: somebody waits for a code. */
const LOOK_MS: Record<EmailLane, number> = { account: 250, receipt: 1_000 };
/** Milliseconds for which a claim is believed: afterwards its row is read again, since cards are erased meanwhile. */
const BELIEVED_MS = 500;
/** E-mails a claim takes, for each connection. */
const CLAIM_A_CONNECTION = 12;
/** How often outcomes are tried to be written when the database is away and the lane has to stop. */
const LAST_TRIES = 5;

export type LaneOptions = {
  db: Db;
  transport: Transport;
  lane: EmailLane;
  /** The row of background_workers that claims. */
  owner: string;
  /** Ends the lane: what is being sent is sent, the rest is given back. */
  stop: AbortSignal;
  /** Ends when nothing is due, instead of waiting for more. */
  once?: boolean;
};

const note = (error: unknown) =>
  console.error("mail:", redactEmails(error instanceof Error ? error.message : String(error)));

/** Delivers one lane of the outbox: e-mails are claimed in sets, sent over several connections, recorded in sets. */
export class MailLane {
  private claimed: ClaimedEmail[] = [];
  private believedUntil = 0;
  private looking: Promise<boolean> | undefined;
  private outcomes: MailOutcome[] = [];
  private recording: Promise<void> | undefined;

  constructor(private readonly options: LaneOptions) {}

  /** Resolves when the lane was stopped or, with `once`, when nothing is due. Throws only what the database throws with `once`. */
  async run(): Promise<void> {
    const { db, transport, lane, owner } = this.options;
    const senders = Array.from({ length: transport.connections[lane] }, () => this.send());
    const ended = await Promise.allSettled(senders);
    await this.recording;
    const rest = this.claimed.splice(0);
    await giveBack(db, owner, rest).catch(note);
    for (const sender of ended) if (sender.status === "rejected") throw sender.reason;
  }

  private async send(): Promise<void> {
    for (let mail = await this.next(); mail; mail = await this.next()) {
      const outcome: MailOutcome = { mail };
      try {
        await this.options.transport.send(mail);
      } catch (error) {
        outcome.error = error instanceof Error ? error : new Error(String(error));
      }
      this.outcomes.push(outcome);
      this.recording ??= this.record();
    }
  }

  private async next(): Promise<ClaimedEmail | undefined> {
    while (!this.options.stop.aborted) {
      const mail = Date.now() < this.believedUntil ? this.claimed.shift() : undefined;
      if (mail) return mail;
      this.looking ??= this.look().finally(() => {
        this.looking = undefined;
      });
      if (!(await this.looking) && this.options.once) return undefined;
    }
    return undefined;
  }

  /** Makes sure of the claims, and claims more when there are none. Answers whether there are any; waits when not. */
  private async look(): Promise<boolean> {
    const { db, transport, lane, owner, stop, once } = this.options;
    try {
      const asked = Date.now();
      if (this.claimed.length > 0) this.claimed = await stillClaimed(db, owner, this.claimed);
      if (this.claimed.length === 0) {
        const limit = CLAIM_A_CONNECTION * transport.connections[lane];
        this.claimed = await claimEmails(db, { lane, owner, limit });
      }
      this.believedUntil = asked + BELIEVED_MS;
      if (this.claimed.length > 0) return true;
    } catch (error) {
      if (once) throw error;
      note(error);
    }
    if (!once) await pause(LOOK_MS[lane], undefined, { signal: stop }).catch(() => undefined);
    return false;
  }

  /** Writes down what happened so far, again and again while more happens: a crash repeats few messages. */
  private async record(): Promise<void> {
    const { db, owner, stop } = this.options;
    let tries = 0;
    while (this.outcomes.length > 0) {
      const some = this.outcomes.splice(0);
      try {
        await recordOutcomes(db, owner, some);
        tries = 0;
        const failed = some.flatMap(({ error }) => error ?? []);
        if (failed[0]) note(`${failed.length} not delivered: ${failed[0].message}`);
      } catch (error) {
        note(error);
        tries += 1;
        if ((stop.aborted || this.options.once) && tries >= LAST_TRIES) break;
        this.outcomes.unshift(...some);
        await pause(500);
      }
    }
    this.recording = undefined;
  }
}

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "@/lib/db/client";
import {
  BatchRefused,
  type EmailBatches,
  type EmailLane,
  NotSent,
  RecipientRefused,
  type Transport,
} from "@/lib/email/message";
import {
  type ClaimedEmail,
  claimEmails,
  filterClaimed,
  type MailOutcome,
  recordOutcomes,
  releaseEmails,
} from "@/lib/email/outbox";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { inSpan } from "@/lib/observe/trace";

/** Milliseconds between polls of an empty lane. `account` is short because people wait for codes. */
const POLL_MS: Record<EmailLane, number> = { account: 250, receipt: 1_000 };
/** Milliseconds after which claimed rows are read again before sending, since a card may have been deleted. */
const CLAIM_FRESH_MS = 500;
/** E-mails claimed at once, per connection. */
const CLAIMS_PER_CONNECTION = 12;
/** Milliseconds for which outcomes wait, to be recorded by one statement. A crash meanwhile repeats the messages. */
const RECORD_AFTER_MS: Record<EmailLane, number> = { account: 0, receipt: 50 };
/** Attempts to record outcomes when the database is unavailable and the lane has to stop. */
const MAX_FINAL_ATTEMPTS = 5;

export type LaneOptions = {
  db: Db;
  transport: Transport;
  lane: EmailLane;
  /** The id of the row of background_workers that claims the e-mails. */
  owner: string;
  /** Stops the lane: e-mails that are being sent are finished, the other claims are released. */
  stop: AbortSignal;
  /** Stops when nothing is due, instead of waiting for more. */
  once?: boolean;
};

const toError = (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause)));
const logError = (error: unknown) => log("error", "mail", { error });

/** Delivers one lane of the outbox: claims e-mails in batches, sends them over several connections, records outcomes. */
export class MailLane {
  private claimed: ClaimedEmail[] = [];
  private freshUntil = 0;
  private refilling: Promise<boolean> | undefined;
  private outcomes: MailOutcome[] = [];
  private recording: Promise<void> | undefined;

  constructor(private readonly options: LaneOptions) {}

  /** Resolves when the lane was stopped or, with `once`, nothing is due. Throws database errors only with `once`. */
  async run(): Promise<void> {
    const { db, transport, lane, owner } = this.options;
    const senders = Array.from({ length: transport.connections[lane] }, () => this.send());
    const results = await Promise.allSettled(senders);
    await this.recording;
    await releaseEmails(db, owner, this.claimed.splice(0)).catch(logError);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Receipts are sent in batches if the provider supports it. E-mails that a person waits for are sent one by one. */
  private get batches(): EmailBatches | undefined {
    const { transport, lane } = this.options;
    return lane === "receipt" ? transport.batches : undefined;
  }

  private async send(): Promise<void> {
    for (let mails = await this.next(); mails; mails = await this.next()) {
      const [first] = mails;
      if (first.batch && this.batches) await this.sendBatch(this.batches, mails, first.batch);
      else await this.sendOne(first);
    }
  }

  private async sendOne(mail: ClaimedEmail): Promise<void> {
    const { transport, lane } = this.options;
    const outcome: MailOutcome = { mail };
    try {
      await inSpan(`mail ${lane}`, { from: mail.traceparent, kind: "PRODUCER" }, () => transport.send(mail));
    } catch (error) {
      outcome.error = toError(error);
    }
    this.finish([outcome]);
  }

  private async sendBatch(batches: EmailBatches, mails: ClaimedEmail[], key: string): Promise<void> {
    const [from, ...also] = mails.map(({ traceparent }) => traceparent);
    try {
      const errors = await inSpan(`mail ${this.options.lane}`, { from, also, kind: "PRODUCER" }, () =>
        batches.send(mails, key),
      );
      this.finish(mails.map((mail, index) => ({ mail, error: errors[index] ?? undefined })));
    } catch (cause) {
      if (cause instanceof BatchRefused) return this.sendOneByOne(mails);
      const error = toError(cause);
      this.finish(mails.map((mail) => ({ mail, error, inBatch: !(error instanceof NotSent) })));
    }
  }

  /** Sends the e-mails of a refused batch, so that the bad one fails alone. */
  private async sendOneByOne(mails: ClaimedEmail[]): Promise<void> {
    const { db, owner, stop } = this.options;
    for (const [index, mail] of mails.entries()) {
      if (stop.aborted) return releaseEmails(db, owner, mails.slice(index)).catch(logError);
      try {
        // The e-mails before it may have taken long.
        const [held] = await filterClaimed(db, owner, [mail]);
        if (held) await this.sendOne(held);
      } catch (error) {
        this.finish([{ mail, error: toError(error) }]);
      }
    }
  }

  private finish(outcomes: MailOutcome[]): void {
    for (const { error } of outcomes) {
      const refused = error instanceof RecipientRefused ? "refused" : "failed";
      metrics().mails.inc({ lane: this.options.lane, outcome: error ? refused : "sent" });
    }
    this.outcomes.push(...outcomes);
    this.recording ??= this.record();
  }

  /** The next e-mail, or the next batch. */
  private async next(): Promise<[ClaimedEmail, ...ClaimedEmail[]] | undefined> {
    while (!this.options.stop.aborted) {
      const mail = Date.now() < this.freshUntil ? this.claimed.shift() : undefined;
      if (mail?.batch) {
        const others = this.claimed.filter(({ batch }) => batch === mail.batch);
        this.claimed = this.claimed.filter(({ batch }) => batch !== mail.batch);
        return [mail, ...others];
      }
      if (mail) return [mail];
      this.refilling ??= this.refill().finally(() => {
        this.refilling = undefined;
      });
      if (!(await this.refilling) && this.options.once) return undefined;
    }
    return undefined;
  }

  /** Checks the claims again, and claims more when none are left. Answers whether there are any; if not, it waits first. */
  private async refill(): Promise<boolean> {
    const { db, transport, lane, owner, stop, once } = this.options;
    try {
      const checkedAt = Date.now();
      if (this.claimed.length > 0) this.claimed = await filterClaimed(db, owner, this.claimed);
      if (this.claimed.length === 0) {
        const limit = this.batches?.limit ?? CLAIMS_PER_CONNECTION * transport.connections[lane];
        const batch = this.batches ? randomUUID() : null;
        this.claimed = await claimEmails(db, { lane, owner, limit, batch });
      }
      this.freshUntil = checkedAt + CLAIM_FRESH_MS;
      if (this.claimed.length > 0) return true;
    } catch (error) {
      if (once) throw error;
      logError(error);
    }
    if (!once) await pause(POLL_MS[lane], undefined, { signal: stop }).catch(() => undefined);
    return false;
  }

  /** Records outcomes until none are left, without waiting for a full batch, so that a crash repeats few messages. */
  private async record(): Promise<void> {
    const { db, lane, owner, stop } = this.options;
    let failures = 0;
    while (this.outcomes.length > 0) {
      if (RECORD_AFTER_MS[lane] > 0) await pause(RECORD_AFTER_MS[lane]);
      const batch = this.outcomes.splice(0);
      try {
        await recordOutcomes(db, owner, batch);
        failures = 0;
        const failed = batch.flatMap(({ error }) => error ?? []);
        if (failed[0]) log("error", "e-mails were not delivered", { count: failed.length, error: failed[0] });
      } catch (error) {
        logError(error);
        failures += 1;
        if ((stop.aborted || this.options.once) && failures >= MAX_FINAL_ATTEMPTS) break;
        this.outcomes.unshift(...batch);
        await pause(500);
      }
    }
    this.recording = undefined;
  }
}

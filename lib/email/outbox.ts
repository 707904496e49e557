import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "@/lib/db/client";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { inSpan } from "@/lib/observe/trace";
import {
  BatchRefused,
  type EmailBatches,
  type EmailLane,
  NotSent,
  type OutgoingEmail,
  RecipientRefused,
  type Transport,
} from "./message";

/** Attempts before an e-mail fails: about four days with the back-off. */
const MAX_ATTEMPTS = 25;

type ClaimedEmail = OutgoingEmail & {
  attempts: number;
  traceparent: string | null;
  /** The batch it is sent in, or null when it is sent alone. */
  batch: string | null;
};

/** No error: the provider accepted it. `inBatch`: perhaps it did, so it is sent again in the same batch. */
type MailOutcome = { mail: ClaimedEmail; error?: Error; inBatch?: boolean };

type Claim = { lane: EmailLane; owner: string; limit: number; batch?: string | null };

/** Whether a lane has due e-mails that no process has claimed. */
export async function hasDueEmails(db: Db, lane: EmailLane): Promise<boolean> {
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select exists (select 1 from emails where status = 'queued' and lane = ${lane}::"EmailLane"
      and claimed_by is null and next_try_at <= now() and (expires_at is null or expires_at > now())) as due`;
  return row?.due ?? false;
}

/**
 * Claims up to `limit` due e-mails of a lane for `owner` (the id of a row of background_workers), longest due first.
 * Other processes skip them until the owner releases them or is dead. Each claim counts as an attempt. With `batch` (an
 * id) it claims either those of one earlier batch or such that are in none, which become that batch.
 */
export async function claimEmails(
  db: Db,
  { lane, owner, limit, batch = null }: Claim,
): Promise<ClaimedEmail[]> {
  // Processes of the previous version, which do not know claims, skip them because of next_try_at.
  const mails = await db.$queryRaw<ClaimedEmail[]>`
    update emails set attempts = attempts + 1, claimed_by = ${owner}::uuid,
      batch = case when ${batch}::uuid is not null then coalesce(batch, ${batch}::uuid) end,
      next_try_at = now() + interval '10 minutes'
    where id = any(array(
      select id from emails
      where status = 'queued' and lane = ${lane}::"EmailLane" and claimed_by is null and next_try_at <= now()
        and (expires_at is null or expires_at > now())
        and (${batch}::uuid is null or batch is not distinct from (
          select batch from emails
          where status = 'queued' and lane = ${lane}::"EmailLane" and claimed_by is null and next_try_at <= now()
          order by next_try_at limit 1))
      order by next_try_at limit ${limit}::int for update skip locked))
    returning id::text as id, lane::text as lane, recipient, subject, text, html, created_at as "createdAt", attempts,
      traceparent, batch::text as batch`;
  // A batch that is sent again needs its e-mails in the same order.
  return mails.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** The e-mails that the owner still holds: without those that were deleted, expired or taken over by another process. */
async function filterClaimed(db: Db, owner: string, mails: ClaimedEmail[]): Promise<ClaimedEmail[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text as id from emails
    where id = any(${mails.map(({ id }) => id)}::uuid[]) and status = 'queued' and claimed_by = ${owner}::uuid
      and (expires_at is null or expires_at > now())`;
  const claimed = new Set(rows.map(({ id }) => id));
  return mails.filter(({ id }) => claimed.has(id));
}

/** Releases e-mails that the owner claimed and did not send: they are due now, and the attempt is not counted. */
async function releaseEmails(db: Db, owner: string, mails: ClaimedEmail[]): Promise<void> {
  if (mails.length === 0) return;
  await db.$executeRaw`
    update emails set claimed_by = null, attempts = attempts - 1, next_try_at = now()
    where id = any(${mails.map(({ id }) => id)}::uuid[]) and status = 'queued' and claimed_by = ${owner}::uuid`;
}

/** Gives up queued e-mails whose code or link has ended, except those being sent. Answers how many. */
export async function expireEmails(db: Db): Promise<number> {
  return db.$executeRaw`
    update emails set status = 'failed', last_error = 'expired', text = '', html = '', claimed_by = null
    where status = 'queued' and expires_at <= now() and claimed_by is null`;
}

/** The attempts that count: in a batch that is sent again unchanged, the highest number of its e-mails. */
function countedAttempts(outcomes: MailOutcome[]): (outcome: MailOutcome) => number {
  const most = new Map<string, number>();
  for (const { mail, inBatch } of outcomes) {
    if (inBatch && mail.batch) most.set(mail.batch, Math.max(mail.attempts, most.get(mail.batch) ?? 0));
  }
  return ({ mail, inBatch }) => (inBatch && mail.batch && most.get(mail.batch)) || mail.attempts;
}

/** A batch that is sent again unchanged waits or fails as a whole, because it has one idempotency key. */
async function recordOutcomes(db: Db, owner: string, outcomes: MailOutcome[]): Promise<void> {
  const sent = outcomes.filter(({ error }) => !error).map(({ mail }) => mail.id);
  // Codes and links are secrets, so the text goes. A sent e-mail counts as sent for any claimant.
  if (sent.length > 0) {
    await db.$executeRaw`
      update emails set status = 'sent', sent_at = now(), last_error = null, text = '', html = '', claimed_by = null
      where id = any(${sent}::uuid[]) and status = 'queued'`;
  }
  const failed = outcomes.flatMap(({ mail, error, inBatch }) => (error ? [{ mail, error, inBatch }] : []));
  if (failed.length === 0) return;
  const attempts = failed.map(countedAttempts(failed));
  const givenUp = failed.map(
    ({ error }, n) => (attempts[n] ?? 0) >= MAX_ATTEMPTS || error instanceof RecipientRefused,
  );
  // The same back-off as the job queue: e to the power of the attempts, in seconds, at most six hours.
  await db.$executeRaw`
    update emails e set last_error = f.error, claimed_by = null, batch = case when f.in_batch then e.batch end,
      text = case when f.given_up then '' else e.text end, html = case when f.given_up then '' else e.html end,
      status = (case when f.given_up then 'failed' else 'queued' end)::"EmailStatus",
      next_try_at = now() + exp(least(10, f.attempts)) * interval '1 second'
    from unnest(${failed.map(({ mail }) => mail.id)}::uuid[],
      ${failed.map(({ error }) => error.message.slice(0, 500))}::text[], ${givenUp}::boolean[],
      ${failed.map(({ inBatch }) => inBatch ?? false)}::boolean[], ${attempts}::int[])
      as f(id, error, given_up, in_batch, attempts)
    where e.id = f.id and e.status = 'queued' and e.claimed_by = ${owner}::uuid`;
}

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

type LaneOptions = {
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

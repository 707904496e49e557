import type { Db } from "@/lib/db/client";
import { type EmailLane, type OutgoingEmail, RecipientRefused } from "./message";

/** Attempts before an e-mail fails: about four days with the back-off. */
const MAX_ATTEMPTS = 25;

/** A due e-mail that one process has claimed. */
export type ClaimedEmail = OutgoingEmail & {
  attempts: number;
  traceparent: string | null;
  /** The batch it is sent in, or null when it is sent alone. */
  batch: string | null;
};

/**
 * The result of sending an e-mail. Without an error the provider accepted it. `inBatch`: it is unknown whether the provider
 * accepted the batch, so it is sent again in the same one.
 */
export type MailOutcome = { mail: ClaimedEmail; error?: Error; inBatch?: boolean };

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
export async function filterClaimed(db: Db, owner: string, mails: ClaimedEmail[]): Promise<ClaimedEmail[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text as id from emails
    where id = any(${mails.map(({ id }) => id)}::uuid[]) and status = 'queued' and claimed_by = ${owner}::uuid
      and (expires_at is null or expires_at > now())`;
  const claimed = new Set(rows.map(({ id }) => id));
  return mails.filter(({ id }) => claimed.has(id));
}

/** Releases e-mails that the owner claimed and did not send: they are due now, and the attempt is not counted. */
export async function releaseEmails(db: Db, owner: string, mails: ClaimedEmail[]): Promise<void> {
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

/**
 * Records the sent e-mails in one statement, and those that are retried or have failed in another. If a batch
 * is sent again unchanged, all its e-mails wait or fail together, because they share one idempotency key.
 */
export async function recordOutcomes(db: Db, owner: string, outcomes: MailOutcome[]): Promise<void> {
  const sent = outcomes.filter(({ error }) => !error).map(({ mail }) => mail.id);
  // Codes and links are secrets, so the text is removed after delivery and after giving up. A sent e-mail counts as
  // sent for any claimant.
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

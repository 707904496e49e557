import type { Db } from "@/lib/db/client";
import type { EmailLane } from "./lanes";
import { type OutgoingEmail, RecipientRefused } from "./message";

/** Tries before an e-mail is given up: with the back-off about four days. */
const MAX_ATTEMPTS = 25;

/** A due e-mail that one process took for itself. */
export type ClaimedEmail = OutgoingEmail & { attempts: number };

/** What came of sending one: without an error the provider took it. */
export type MailOutcome = { mail: ClaimedEmail; error?: Error };

/** Whether e-mails of the lane are due that nobody claimed. */
export async function anyDue(db: Db, lane: EmailLane): Promise<boolean> {
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select exists (select 1 from emails where status = 'queued' and lane = ${lane}::"EmailLane"
      and claimed_by is null and next_try_at <= now()) as due`;
  return row?.due ?? false;
}

/**
 * Takes up to `limit` due e-mails of a lane for `owner` (a row of background_workers), longest due first. Others leave
 * them alone until the owner gives them back or is known to be dead. Each claim counts as a try.
 */
export async function claimEmails(
  db: Db,
  { lane, owner, limit }: { lane: EmailLane; owner: string; limit: number },
): Promise<ClaimedEmail[]> {
  // The time of the next try also keeps processes of the version before, which know no claims, away.
  const mails = await db.$queryRaw<ClaimedEmail[]>`
    update emails set attempts = attempts + 1, claimed_by = ${owner}::uuid,
      next_try_at = now() + interval '10 minutes'
    where id = any(array(
      select id from emails
      where status = 'queued' and lane = ${lane}::"EmailLane" and claimed_by is null and next_try_at <= now()
      order by next_try_at limit ${limit}::int for update skip locked))
    returning id::text as id, lane::text as lane, recipient, subject, text, html, created_at as "createdAt", attempts`;
  return mails.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Which of these e-mails the owner still has: not those that were erased, nor those that another process took over. */
export async function stillClaimed(db: Db, owner: string, mails: ClaimedEmail[]): Promise<ClaimedEmail[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select id::text as id from emails
    where id = any(${mails.map(({ id }) => id)}::uuid[]) and status = 'queued' and claimed_by = ${owner}::uuid`;
  const kept = new Set(rows.map(({ id }) => id));
  return mails.filter(({ id }) => kept.has(id));
}

/** Gives back e-mails that the owner claimed and did not try: they are due at once, and no try was counted. */
export async function giveBack(db: Db, owner: string, mails: ClaimedEmail[]): Promise<void> {
  if (mails.length === 0) return;
  await db.$executeRaw`
    update emails set claimed_by = null, attempts = attempts - 1, next_try_at = now()
    where id = any(${mails.map(({ id }) => id)}::uuid[]) and status = 'queued' and claimed_by = ${owner}::uuid`;
}

/** Writes down, in one statement each, what was sent and what has to be tried again or is given up. */
export async function recordOutcomes(db: Db, owner: string, outcomes: MailOutcome[]): Promise<void> {
  const sent = outcomes.filter(({ error }) => !error).map(({ mail }) => mail.id);
  // Codes and links are secrets: once delivered the outbox forgets what it said. Sent is sent, whoever holds it by now.
  if (sent.length > 0) {
    await db.$executeRaw`
      update emails set status = 'sent', sent_at = now(), last_error = null, text = '', html = '', claimed_by = null
      where id = any(${sent}::uuid[]) and status = 'queued'`;
  }
  const failed = outcomes.flatMap(({ mail, error }) => (error ? [{ mail, error }] : []));
  if (failed.length === 0) return;
  const givenUp = failed.map(
    ({ mail, error }) => mail.attempts >= MAX_ATTEMPTS || error instanceof RecipientRefused,
  );
  // The same back-off as the job queue's (e to the power of the tries, in seconds, at most six hours).
  await db.$executeRaw`
    update emails e set last_error = f.error, claimed_by = null,
      status = (case when f.given_up then 'failed' else 'queued' end)::"EmailStatus",
      next_try_at = now() + exp(least(10, e.attempts)) * interval '1 second'
    from unnest(${failed.map(({ mail }) => mail.id)}::uuid[],
      ${failed.map(({ error }) => error.message.slice(0, 500))}::text[], ${givenUp}::boolean[]) as f(id, error, given_up)
    where e.id = f.id and e.status = 'queued' and e.claimed_by = ${owner}::uuid`;
}

import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Task } from "./queue";

/** Jobs are short: one held for three minutes by somebody unknown belongs to a process that died before it said its name. */
async function freeStuckJobs(db: Db): Promise<void> {
  await db.$queryRaw`
    select free_jobs_of(array_agg(distinct locked_by))::text as freed from graphile_worker.jobs j
    where locked_at < now() - interval '3 minutes'
      and not exists (select 1 from background_workers w where w.job_pool = j.locked_by)
    having count(*) > 0`;
}

/** E-mails claimed by a process that signed off and could not give them back. */
async function freeOrphanedEmails(db: Db): Promise<void> {
  await db.$executeRaw`
    update emails set claimed_by = null, next_try_at = now()
    where claimed_by is not null and status = 'queued'
      and not exists (select 1 from background_workers w where w.id = claimed_by)`;
}

/** Jobs that were given up explain themselves for a week. */
async function removeFailedJobs(db: Db): Promise<void> {
  await db.$queryRaw`
    select count(*)::int as removed from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days' limit 5000))`;
}

/** Sessions that ended a week ago or longer, by whichever came first: as the index on both has it. */
export const EXPIRED_SESSIONS = Prisma.sql`
  select id from sessions where least(expires_at, revoked_at) < now() - interval '7 days' limit 5000`;

/** Rows whose time is long over. What is kept a while still explains itself (an expired session is 417, not 401). */
async function removeExpired(db: Db): Promise<void> {
  await db.$transaction([
    db.$executeRaw`delete from sessions where id in (${EXPIRED_SESSIONS})`,
    db.$executeRaw`delete from codes
      where id in (select id from codes where expires_at < now() - interval '1 day' limit 5000)`,
    db.$executeRaw`delete from verifications
      where id in (select id from verifications where expires_at < now() - interval '1 day' limit 5000)`,
    db.$executeRaw`delete from password_tokens
      where id in (select id from password_tokens where expires_at < now() - interval '7 days' limit 5000)`,
    db.$executeRaw`delete from proof_uses where used_at < now() - interval '7 days'`,
    // By the last try, which an index knows: every movement leaves a receipt here.
    db.$executeRaw`delete from emails
      where id in (select id from emails where status in ('sent', 'failed')
        and next_try_at < now() - interval '30 days' limit 5000)`,
    db.$executeRaw`delete from rate_limits
      where key in (select key from rate_limits where expire < now() - interval '1 minute' limit 5000)`,
  ]);
}

/** Every minute: what was left behind goes on, what is over goes away. */
export const sweep: Task = async ({ db }) => {
  const [queue] = await db.$queryRaw<{ there: boolean }[]>`
    select to_regnamespace('graphile_worker') is not null as there`;
  await freeOrphanedEmails(db);
  if (queue?.there) {
    await freeStuckJobs(db);
    await removeFailedJobs(db);
  }
  await removeExpired(db);
};

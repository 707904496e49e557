import type { Db } from "@/lib/db/client";
import type { Task } from "./queue";

/** Puts e-mails that are due and were left behind (a dead worker, a database without one) into the queue again. */
async function requeueEmails(db: Db): Promise<void> {
  await db.$queryRaw`
    select graphile_worker.add_job('send_email', json_build_object('id', id::text),
      max_attempts := 25, job_key := 'send_email:' || id::text)::text as job
    from (
      select id from emails
      where status = 'queued' and next_try_at < now() - interval '30 seconds'
      order by next_try_at limit 500
    ) as late`;
}

/** Jobs are short: one held for three minutes belongs to a worker that died. */
async function freeStuckJobs(db: Db): Promise<void> {
  await db.$queryRaw`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))::text as freed
    from graphile_worker.jobs where locked_at < now() - interval '3 minutes'
    having count(*) > 0`;
}

/** Rows whose time is long over. What is kept a while still explains itself (an expired session is 417, not 401). */
async function removeExpired(db: Db): Promise<void> {
  await db.$transaction([
    db.$executeRaw`delete from sessions
      where id in (select id from sessions where least(expires_at, revoked_at) < now() - interval '7 days' limit 5000)`,
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
  if (queue?.there) {
    await freeStuckJobs(db);
    await requeueEmails(db);
  }
  await removeExpired(db);
};

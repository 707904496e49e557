import { type Db, getDb } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { expireEmails } from "@/lib/email/outbox";
import { mailTransport } from "@/lib/email/transports";
import { oncePerProcess } from "@/lib/observe/once";
import { updatePasses } from "./add-job";
import { dailySumsTask, repairSumsTask, sealAndCount } from "./daily-sums";
import type { JobContext, Task, TaskTable } from "./queue";

/** Sessions that ended a week ago, by an index. A till's last one stays: it says when somebody was there. */
export const EXPIRED_SESSIONS = Prisma.sql`
  select id from sessions ended where least(expires_at, revoked_at) < now() - interval '7 days'
    and (till_id is null or exists (select 1 from sessions later
      where later.till_id = ended.till_id and later.last_seen_at > ended.last_seen_at))
  limit 5000`;

/** The tables whose rows are removed 5,000 at a time: their keys, and from when on a row has had its time. */
const OUTDATED = [
  ["codes", "id", "expires_at < now() - interval '1 day'"],
  ["verifications", "id", "expires_at < now() - interval '1 day'"],
  ["password_tokens", "id", "expires_at < now() - interval '7 days'"],
  ["notices", "id", "created_at < now() - interval '90 days'"],
  ["auth_challenges", "id", "expires_at < now() - interval '1 day'"],
  // Browsers keep the cookie of a device for 400 days.
  ["user_devices", "(user_id, device_hash)", "last_seen_at < now() - interval '400 days'"],
  ["till_proofs", "hash", "expires_at < now()"],
  // By next_try_at, which has an index: the table is large, with a receipt per movement.
  ["emails", "id", "status in ('sent', 'failed') and next_try_at < now() - interval '30 days'"],
  ["rate_limits", "key", "expire < now() - interval '1 minute'"],
] as const;

/** Removes rows some time after they expired. Until then they explain a refusal: an expired session is 417, not 401. */
async function removeExpired(db: Db): Promise<void> {
  const outdated = OUTDATED.map(([table, key, condition]) => {
    const rows = `select ${key.replace(/[()]/g, "")} from ${table} where ${condition} limit 5000`;
    return db.$executeRaw(Prisma.raw(`delete from ${table} where ${key} in (${rows})`));
  });
  await db.$transaction([
    db.$executeRaw`delete from sessions where id in (${EXPIRED_SESSIONS})`,
    db.$executeRaw`delete from freeze_uses where expires_at < now()`,
    db.$executeRaw`delete from card_links where expires_at < now()`,
    db.$executeRaw`delete from proof_uses where used_at < now() - interval '7 days'`,
    db.$queryRaw`select age_posting_guards()::text`,
    db.$queryRaw`select age_events()::text`,
    ...outdated,
  ]);
}

/** Cards in one statement. */
const LAPSED = 500;

/** Ends holds whose time is over. Nothing waits for it: every statement counts them as ended already. */
async function endLapsedHolds(db: Db): Promise<void> {
  for (let seen = LAPSED; seen === LAPSED; ) {
    const [row] = await db.$queryRaw<{ cards: string[] }[]>`
      select lapse_holds(${LAPSED}::int)::text[] as cards`;
    const cards = row?.cards ?? [];
    seen = cards.length;
    await updatePasses(db, { actor: null }, cards);
  }
}

/** Runs every minute: ends lapsed holds, releases abandoned jobs and e-mails, and removes expired rows. */
export const sweep: Task = async ({ db }) => {
  await endLapsedHolds(db);
  // E-mails claimed by a process that is not registered any more.
  await db.$executeRaw`
    update emails set claimed_by = null, next_try_at = now()
    where claimed_by is not null and status = 'queued'
      and not exists (select 1 from background_workers w where w.id = claimed_by)`;
  await expireEmails(db);
  // Jobs held for three minutes by a pool that is not registered: its process died before it registered, as jobs are short.
  await db.$queryRaw`
    select free_jobs_of(array_agg(distinct locked_by))::text as freed from graphile_worker.jobs j
    where locked_at < now() - interval '3 minutes'
      and not exists (select 1 from background_workers w where w.job_pool = j.locked_by)
    having count(*) > 0`;
  // Failed jobs are there for diagnosis for a week.
  await db.$queryRaw`
    select count(*)::int as removed from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '7 days' limit 5000))`;
  await removeExpired(db);
};

const CUSTOMERS_PER_RUN = 500;

/** Removes expired bonus points. A locked customer's expire in the next run or at the next movement. */
const expireBonus: Task = async ({ db }) => {
  for (;;) {
    const [row] = await db.$queryRaw<{ expired: number }[]>`
      select expire_bonus(${CUSTOMERS_PER_RUN}::int) as expired`;
    if (!row?.expired) return;
  }
};

/** The tasks that every process has. lib/tasks registers those of the operations when the server starts. */
export const CORE_TASKS = {
  sweep,
  seal: sealAndCount,
  daily_sums: dailySumsTask,
  mend_sums: repairSumsTask,
  expire_bonus: expireBonus,
} satisfies TaskTable;

const registered = oncePerProcess("tasks", (): { tasks?: TaskTable } => ({}));

/** Registers the tasks of this process. Call it before a worker or the cron route runs. */
export function registerTasks(tasks: TaskTable): void {
  registered.tasks = tasks;
}

/** The registered tasks, or CORE_TASKS before any are registered. */
export function registeredTasks(): TaskTable {
  return registered.tasks ?? CORE_TASKS;
}

/** The database and mail transport of this process. */
export function jobContext(): JobContext {
  return { db: getDb(), transport: mailTransport() };
}

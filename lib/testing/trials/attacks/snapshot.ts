import { setTimeout } from "node:timers/promises";
import type { Db } from "@/lib/db/client";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { processPostingOutbox } from "@/lib/tasks/movement-posted";
import { waitForOpenTransactions } from "@/lib/testing/horizon";

/**
 * The tables that change although nothing happened: counters of attempts, challenges, used till proofs, and
 * the progress of the jobs and of webhooks.
 */
const VOLATILE = [
  "api_key_uses",
  "auth_challenges",
  "background_workers",
  "ledger_progress",
  "rate_limits",
  "till_proofs",
  "webhook_attempts",
  "webhook_deliveries",
];
/** Columns that say when a session was used. */
const VOLATILE_COLUMNS = ["last_used_at", "last_seen_at", "expires_at"];

/** Tables of which some columns count: pending work (an e-mail, a check) may end, but none may be added. */
const COUNTED: Record<string, string> = {
  emails: "jsonb_build_array(t.id, t.recipient)",
  webhook_endpoints: "jsonb_build_array(t.id, t.url, t.events, t.branch_id, t.ordered, t.asymmetric)",
  ledger_checks: "jsonb_build_array(t.id, t.merchant_id, t.requested_by_id)",
};

/**
 * Does what the jobs of each minute do for posted movements, so that it does not happen between two snapshots. Waits until
 * the servers' queue is empty. The sums leave out what was posted beside an open transaction, so that must end first.
 */
async function untilJobsAreDone(db: Db): Promise<void> {
  await processPostingOutbox({ db });
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  const end = Date.now() + 30_000;
  for (;;) {
    const [row] = await db.$queryRaw<{ waiting: number }[]>`
      select count(*)::int as waiting from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;
    // After the end, unfinished jobs show as a change.
    if (row?.waiting === 0 || Date.now() > end) return;
    await setTimeout(20);
  }
}

/**
 * A checksum of every table of the program once its jobs have nothing to do, to tell whether a refused request changed
 * anything, at once or by a job.
 */
export async function snapshotOf(db: Db): Promise<Record<string, string>> {
  await untilJobsAreDone(db);
  const tables = await db.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> '_prisma_migrations'
    order by 1`;
  const parts = tables
    .filter(({ name }) => !VOLATILE.includes(name))
    .map(({ name }) => {
      const volatile = VOLATILE_COLUMNS.map((column) => `'${column}'`).join(",");
      const row = COUNTED[name] ?? `to_jsonb(t) - array[${volatile}]`;
      return `select '${name}' as name, count(*) || ':' || coalesce(sum(hashtextextended((${row})::text, 0)), 0) as sum from "${name}" t`;
    });
  const rows = await db.$queryRawUnsafe<{ name: string; sum: string }[]>(parts.join(" union all "));
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** The tables that differ between two snapshots. */
export const changedTables = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name]);

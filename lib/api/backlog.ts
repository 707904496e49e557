import { statfs } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Gauge } from "prom-client";
import { getDb } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";

/** `shown` is what everybody may know of what waits. */
type Row = { lane: string; waiting: number; oldest: number; failed: number; shown: number };
/** Merchants whose last ledger check failed, and the seconds since the last check and the audit log's oldest entry. */
type Proofs = { wrong: number | null; checkAge: number | null; auditAge: number | null };
type Reading = Proofs & { at: number; up: boolean; lanes: Row[] };

const FRESH_MS = 5_000;
/** Seconds before e-mails count: a stranger who asks for a link must not see if the address has one. */
const SHOWN_AFTER = 10;
const PATIENCE_MS = 3_000;
export const LANES = ["postings", "jobs", "mail_account", "mail_receipt", "webhooks"] as const;

async function readLanes(): Promise<Row[]> {
  const db = getDb();
  const mailAndPostings = await db.$queryRaw<Row[]>`
    select 'mail_' || lane::text as lane, count(*)::int as waiting, 0 as failed,
      coalesce(extract(epoch from now() - min(next_try_at)), 0)::float8 as oldest,
      count(*) filter (where next_try_at <= now() - make_interval(secs => ${SHOWN_AFTER}))::int as shown
    from emails where status = 'queued' and claimed_by is null and next_try_at <= now() group by lane
    union all
    select 'postings', count(*)::int, 0,
      coalesce(extract(epoch from now() - (
        select uuid_extract_timestamp(movement_id) from posting_outbox order by movement_id limit 1)), 0)::float8,
      count(*)::int
    from posting_outbox`;
  const webhooks = await db.$queryRaw<Row[]>`
    select 'webhooks' as lane, coalesce(sum(d.waiting), 0)::int as waiting, coalesce(sum(d.waiting), 0)::int as shown,
      coalesce(sum(d.failed), 0)::int as failed,
      greatest(0, extract(epoch from now() - least(min(d.oldest), min(v.created_at))))::float8 as oldest
    from webhook_endpoints e
    left join lateral (
      select count(*) filter (where state = 'pending') as waiting, count(*) filter (where state = 'failed') as failed,
        min(created_at) filter (where state = 'pending') as oldest
      from webhook_deliveries where endpoint_id = e.id and state <> 'succeeded') d on true
    left join lateral (
      select created_at from events where merchant_id = e.merchant_id
        and (tx, subject_id, i_seq) > (e.after_tx, e.after_subject, e.after_seq)
      order by tx, subject_id, i_seq limit 1) v on true
    where e.disabled_at is null`;
  const jobs = await db.$queryRaw<Row[]>`
    select 'jobs' as lane, count(*) filter (where attempts < max_attempts)::int as waiting,
      count(*) filter (where attempts >= max_attempts)::int as failed,
      coalesce(extract(epoch from now() - min(run_at) filter (where attempts < max_attempts)), 0)::float8 as oldest,
      count(*) filter (where attempts < max_attempts)::int as shown
    from graphile_worker.jobs where locked_at is null and run_at <= now()`;
  return [...mailAndPostings, ...webhooks, ...jobs];
}

async function readProofs(): Promise<Proofs | undefined> {
  const [row] = await getDb().$queryRaw<Proofs[]>`
    select count(*) filter (where not ok)::int as wrong,
      extract(epoch from now() - max(finished_at))::float8 as "checkAge",
      (select extract(epoch from now() - created_at)::float8 from audits order by created_at, id limit 1) as "auditAge"
    from (select distinct on (merchant_id) ok, finished_at from ledger_checks
      where state = 'done' and ok is not null order by merchant_id, started_at desc) last`;
  return row;
}

const UNKNOWN: Proofs = { wrong: null, checkAge: null, auditAge: null };

async function read(): Promise<Reading> {
  try {
    const reads = Promise.all([readLanes(), readProofs()]);
    const read = await Promise.race([reads, pause(PATIENCE_MS, null, { ref: false })]);
    if (!read) throw new Error("the database does not answer");
    const [lanes, proofs = UNKNOWN] = read;
    return { ...proofs, at: Date.now(), up: true, lanes };
  } catch (error) {
    // A database that is away is a value of wallet_database_up, so the scrape itself succeeds.
    log("warn", "the waiting work was not read", { error });
    return { ...UNKNOWN, at: Date.now(), up: false, lanes: [] };
  }
}

let latest: Promise<Reading> | undefined;

/** The waiting work as of at most five seconds ago. */
async function reading(): Promise<Reading> {
  const known = await latest;
  if (known && Date.now() - known.at <= FRESH_MS) return known;
  latest = read();
  return latest;
}

export type WaitingWork = { lane: (typeof LANES)[number]; waiting: number; oldestSeconds: number }[];

/** The work that is due, by lane; e-mails count after SHOWN_AFTER. Null when the database does not answer in time. */
export async function waitingWork(): Promise<WaitingWork | null> {
  const { up, lanes } = await reading();
  if (!up) return null;
  return LANES.map((lane) => {
    const { shown = 0, oldest = 0 } = lanes.find((row) => row.lane === lane) ?? {};
    // The oldest may be due only since the statement began.
    return { lane, waiting: shown, oldestSeconds: shown > 0 ? Math.max(0, Math.round(oldest)) : 0 };
  });
}

/** Adds what is read from the database and the disk when the metrics are scraped. Call it once a process. */
export function addBacklogMetrics(): void {
  const { registry } = metrics();
  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    fill: (self: Gauge<Label>) => Promise<void>,
  ): void {
    const collect = async () => {
      self.reset();
      await fill(self);
    };
    const self: Gauge<Label> = new Gauge({ name, help, labelNames, registers: [registry], collect });
  }
  const single = (name: string, help: string, value: keyof Omit<Reading, "at" | "lanes">) =>
    gauge(name, help, [], async (self) => {
      const { [value]: known } = await reading();
      if (known !== null) self.set(Number(known));
    });
  const byLane = (name: string, help: string, value: keyof Omit<Row, "lane">) =>
    gauge(name, help, ["lane"], async (self) => {
      const { up, lanes } = await reading();
      if (up)
        for (const lane of LANES) self.set({ lane }, lanes.find((row) => row.lane === lane)?.[value] ?? 0);
    });
  byLane("wallet_queue_waiting", "Work that is due and that no process has taken", "waiting");
  byLane("wallet_queue_oldest_seconds", "How long the oldest waiting work is due", "oldest");
  byLane("wallet_queue_failed", "Jobs that are not tried again", "failed");
  single("wallet_database_up", "Whether the database answered the scrape", "up");
  single("wallet_ledger_wrong_merchants", "Merchants whose last ledger check failed", "wrong");
  single("wallet_ledger_check_age_seconds", "Time since the last finished ledger check", "checkAge");
  single("wallet_audit_oldest_seconds", "Age of the oldest entry of the audit log", "auditAge");
  gauge("wallet_disk_bytes", "The disk of DATA_DIR", ["state"], async (self) => {
    // With an S3 store and no mailbox the folder may not exist.
    const disk = await statfs(env().DATA_DIR).catch(() => statfs("."));
    self.set({ state: "free" }, disk.bavail * disk.bsize);
    self.set({ state: "size" }, disk.blocks * disk.bsize);
  });
}

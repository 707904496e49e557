import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { POSTING_LOCK } from "@/lib/db/sql-files";
import { projectRoot } from "./command";

/** posting_lock while no migration runs. Each posting reads its number first and takes this lock, shared. */
export const USUAL_LOCK = readFileSync(join(projectRoot, "prisma", `${POSTING_LOCK}.sql`), "utf8");
const LOCK = Number(/SELECT (\d+)::bigint/.exec(USUAL_LOCK)?.[1]);
const CHANGED = "create or replace function posting_lock() returns bigint language plpgsql volatile as $$";
const RAISE =
  "raise exception using errcode = 'serialization_failure', message = 'the ledger was changed meanwhile: post again';";
const raiseBefore = (end: string) => `if transaction_timestamp() < '${end}' then ${RAISE} end if;`;
/** Checks whether the lock is free or somebody waits for what this session holds: ten seconds in all. */
const TURNS = 200;
/**
 * posting_lock during a migration. A posting that waited here would go on in its old function with the new tables, so it
 * is refused with "post again". One that already holds customers is refused as soon as somebody waits for them.
 */
const meanwhile = (end: string) => `${CHANGED}
begin
  ${raiseBefore(end)}
  if pg_try_advisory_xact_lock_shared(${LOCK}) then return ${LOCK}; end if;
  if exists (select from pg_locks where pid = pg_backend_pid() and relation = 'customers'::regclass and granted
    and mode <> 'AccessShareLock')
  then
    for turn in 1..${TURNS} loop
      perform pg_sleep(0.05);
      exit when pg_try_advisory_xact_lock_shared(${LOCK}) or exists (
        select from pg_locks w join pg_locks h on h.relation = w.relation
        where not w.granted and w.locktype = 'relation' and h.locktype = 'relation' and h.pid = pg_backend_pid());
    end loop;
  else
    perform pg_advisory_xact_lock_shared(${LOCK});
  end if;
  ${RAISE}
end $$`;
/** posting_lock after a migration: refuses older postings too, which may have waited for a customer. */
const afterwards = (end: string) => `${CHANGED}
begin
  ${raiseBefore(end)}
  return ${LOCK};
end $$`;
/** Milliseconds between two checks for older transactions, and in total. */
const LOOK = { every: 50, most: 5_000 };

/** The tables that postings write. Tables that they only read may change while they run. */
const TABLES = "movements|customers|lots|lot_moves|holds|hold_lots|worker_days|posting_outbox";
const touches = new RegExp(
  `\\b(?:alter\\s+table|update|on|lock\\s+table)\\s+(?:only\\s+)?"?(?:${TABLES})\\b|\\b(?:(?:drop|replace)\\s+function|alter\\s+type\\s+posting)\\b`,
  "i",
);

/** Keeps postings out while migrations change what they use, because the two would deadlock. */
export class PostingGate {
  isClosed = false;
  /** The end of the last migration behind this gate. */
  private end = "-infinity";

  private constructor(
    private readonly client: pg.Client,
    /** Whether this database had postings before its migrations began. */
    readonly hasPostings: boolean,
  ) {}

  static async of(client: pg.Client): Promise<PostingGate> {
    const { rows } = await client.query("select to_regprocedure('posting_lock()') is not null as there");
    return new PostingGate(client, Boolean(rows[0]?.there));
  }

  /** Whether a migration changes what postings use. */
  static isFor(sql: string): boolean {
    return touches.test(sql.replace(/--[^\n]*/g, ""));
  }

  /** Waits for the transactions that began before now, but no longer than a few seconds. */
  private async untilEnded(): Promise<void> {
    // pg_stat_activity hides the times of other sessions from an owner without superuser rights.
    const running = "from pg_locks where locktype = 'virtualxid' and granted and pid <> pg_backend_pid()";
    const { rows } = await this.client.query<{ virtualxid: string }>(`select virtualxid ${running}`);
    const before = rows.map(({ virtualxid }) => virtualxid);
    for (const until = Date.now() + LOOK.most; Date.now() < until; await pause(LOOK.every)) {
      const { rowCount } = await this.client.query(`select ${running} and virtualxid = any($1)`, [before]);
      if (rowCount === 0) return;
    }
  }

  /** Waits for running postings, `patience` milliseconds at most, and lets no other one begin. */
  async close(patience: number): Promise<void> {
    if (this.isClosed || !this.hasPostings) return;
    await this.client.query(meanwhile(this.end));
    // A session that was already waiting for a customer may not have noticed the closed gate.
    await this.untilEnded();
    await this.client.query(`set lock_timeout = ${patience}`);
    try {
      await this.client.query("select pg_advisory_lock($1)", [LOCK]);
      this.isClosed = true;
    } finally {
      await this.client.query("reset lock_timeout");
    }
  }

  async open(): Promise<void> {
    if (!this.isClosed) return;
    const { rows } = await this.client.query<{ end: string }>("select clock_timestamp()::text as end");
    this.end = rows[0]?.end ?? this.end;
    await this.client.query(afterwards(this.end));
    await this.client.query("select pg_advisory_unlock($1)", [LOCK]);
    this.isClosed = false;
  }

  /** Restores everything, also after a run that ended before it could. */
  async leave(): Promise<void> {
    if (!this.hasPostings) return;
    await this.open();
    const { rowCount } = await this.client.query(
      "select from pg_proc where oid = to_regprocedure('posting_lock()') and provolatile = 'v'",
    );
    if (rowCount === 0) return;
    await this.untilEnded();
    await this.client.query(USUAL_LOCK);
  }
}

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Migration } from "@/lib/db/sql-files";
import { PostingGate } from "./posting-gate";

export type Patience = {
  /** Milliseconds that a statement waits for what others have locked, before the migration is tried again. */
  lockTimeout?: number;
  attempts?: number;
};

/** lock_not_available, and deadlock_detected, where a posting and the migration hold each other's locks. */
const BUSY = ["55P03", "40P01"];

const token =
  /(?<text>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<dollar>(\$\w*\$)[\s\S]*?\4)|(?<line>--[^\n]*)|(?<block>\/\*[\s\S]*?\*\/)|(?<end>;)|[^'"$\-/;]+|[\s\S]/g;

/** Answers the statements of a script, without comments. It never cuts text in quotes or between dollars. */
export function statementsOf(sql: string): string[] {
  const statements = [""];
  for (const { 0: part, groups } of sql.matchAll(token)) {
    if (groups?.end) statements.push("");
    else if (!groups?.line && !groups?.block) statements[statements.length - 1] += part;
  }
  return statements.map((statement) => statement.trim()).filter(Boolean);
}

const finish = (client: pg.Client, id: string, steps: number) =>
  client.query(
    "update public._prisma_migrations set finished_at = clock_timestamp(), applied_steps_count = $2 where id = $1",
    [id, steps],
  );

async function inTransaction(client: pg.Client, id: string, sql: string, lockTimeout: number): Promise<void> {
  await beginWithLocks(client, sql, lockTimeout);
  try {
    await client.query(sql);
    await finish(client, id, 1);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

const concurrently =
  /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("(?:[^"]|"")+"|\w+)/i;

/** Statement by statement. Makes an invalid index again, skips a valid one. All else must repeat safely. */
async function oneByOne(client: pg.Client, id: string, sql: string, lockTimeout: number): Promise<void> {
  await client.query(`set lock_timeout = ${lockTimeout}`);
  try {
    const statements = statementsOf(sql);
    for (const statement of statements) {
      const index = concurrently.exec(statement)?.[1];
      if (index) {
        const { rows } = await client.query<{ indisvalid: boolean }>(
          "select indisvalid from pg_index where indexrelid = to_regclass($1)",
          [index],
        );
        if (rows[0]?.indisvalid) continue;
        if (rows[0]) await client.query(`drop index concurrently ${index}`);
      }
      await client.query(statement);
    }
    await finish(client, id, statements.length);
  } finally {
    await client.query("reset lock_timeout").catch(() => {});
  }
}

/** Answers the database's message, with the line of the migration if the database named it. */
export function reasonOf(error: unknown, sql?: string): string {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error ? error.message : String(error);
  const line =
    sql && error.position ? `line ${sql.slice(0, Number(error.position)).split("\n").length}: ` : "";
  return [`${line}${error.message}`, error.detail, error.hint].filter(Boolean).join("\n");
}

/** Whether others have locked what a statement needs. */
export const isBusy = (error: unknown) =>
  error instanceof pg.DatabaseError && BUSY.includes(error.code ?? "");

/** The gate during a piece of work: closed (true), or open. */
type Behind = { gate: PostingGate; closed: boolean };

/**
 * Does the work behind the gate, and again after a pause when the database is busy. Between two attempts postings go on,
 * unless the gate was closed before: then work that was left half done is completed first.
 */
export async function patiently<T>(
  { lockTimeout = 5_000, attempts = 5 }: Patience,
  { gate, closed }: Behind,
  work: (lockTimeout: number) => Promise<T>,
): Promise<T> {
  const held = closed && gate.isClosed;
  for (let attempt = 1; ; attempt++) {
    try {
      await (closed ? gate.close(lockTimeout) : gate.open());
      return await work(lockTimeout);
    } catch (error) {
      if (!isBusy(error) || attempt >= attempts) throw error;
      if (!held) await gate.open();
      await pause(Math.min(lockTimeout, 500 * 2 ** attempt));
    }
  }
}

/** Runs by itself, for what a transaction does not allow. */
const isAlone = (sql: string) => /^\s*--\s*no-transaction\b/.test(sql);

/** Whether a migration needs closed postings. */
export const needsGate = ({ sql }: Migration): boolean => !isAlone(sql) && PostingGate.isFor(sql);

/**
 * Applies one migration and notes it in `_prisma_migrations`. The gate keeps postings out of one that changes what they use,
 * and also of another one when `stayClosed` says that the following one does. Throws with what the database said; the
 * row is then marked as failed, until the next attempt marks it as rolled back.
 */
export async function applyMigration(
  client: pg.Client,
  migration: Migration,
  options: Patience,
  gate: PostingGate,
  stayClosed = false,
): Promise<void> {
  const { name, sql, checksum } = migration;
  // A failed migration is tried again: in a transaction it left nothing behind.
  await client.query(
    `update public._prisma_migrations set rolled_back_at = now()
     where migration_name = $1 and finished_at is null and rolled_back_at is null`,
    [name],
  );
  const id = randomUUID();
  const row = "insert into public._prisma_migrations (id, checksum, migration_name) values ($1, $2, $3)";
  await client.query(row, [id, checksum, name]);
  const alone = isAlone(sql);
  const closed = needsGate(migration) || (stayClosed && gate.isClosed && !alone);
  try {
    await patiently(options, { gate, closed }, (lockTimeout) =>
      (alone ? oneByOne : inTransaction)(client, id, sql, lockTimeout),
    );
  } catch (error) {
    const reason = reasonOf(error, alone ? undefined : sql);
    const logs = "update public._prisma_migrations set logs = $2 where id = $1";
    await client.query(logs, [id, reason]).catch(() => {});
    const left = alone ? "What stands before it in the file was applied." : "Nothing of it was applied.";
    const next = isBusy(error)
      ? "The database is busy: run the migration again later."
      : "Correct it and run it again.";
    throw new Error(`Migration ${name} failed: ${reason}\n${left} ${next}`, { cause: error });
  }
}

/** Every posting locks these first. */
const FIRST = ["movements", "customers"];
const LOCK_NOT_AVAILABLE = "55P03";
/** Milliseconds to wait for further locks: less than the time after which Postgres looks for a deadlock. */
const BRIEFLY = 300;
/** Milliseconds between two attempts: a random number between these. */
const PAUSE = { least: 30, most: 200 };

/** The altered tables in the order of locks. Dropping a foreign key locks both of its sides, an index its table. */
async function alteredTables(client: pg.Client, sql: string): Promise<string[]> {
  const text = sql.replace(/--[^\n]*/g, "");
  const named = text.matchAll(
    /\b(?:alter\s+table|trigger\s+(?:if\s+exists\s+)?"?\w+"?[^;]*?\son)\s+(?:if\s+exists\s+)?(?:only\s+)?("(?:[^"]|"")+"|\w+)/gi,
  );
  const { rows } = await client.query<{ name: string }>(
    `with text as (select $2::text as said)
     select c.oid::regclass::text as name from pg_class c, text
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and (
       c.oid in (select to_regclass(name) from unnest($1::text[]) as t(name))
       or c.oid in (select unnest(array[conrelid, confrelid]) from pg_constraint
         where contype = 'f' and position(conname in said) > 0)
       or c.oid in (select i.indrelid from pg_index i join pg_class n on n.oid = i.indexrelid
         where position(n.relname in said) > 0))
     order by array_position($3::text[], c.relname::text), c.relname`,
    [[...new Set([...named].map(([, name = ""]) => name))], text, FIRST],
  );
  return rows.map(({ name }) => name);
}

/**
 * Begins a transaction with a lock on every altered table. Waits for the first, `lockTimeout` milliseconds at most. If
 * another is not free within a moment, it releases all and tries again, so that it never waits for a session that waits
 * for it. Throws after six times that time.
 */
async function beginWithLocks(client: pg.Client, sql: string, lockTimeout: number): Promise<void> {
  const [first, ...others] = await alteredTables(client, sql);
  const until = Date.now() + 6 * lockTimeout;
  for (;;) {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockTimeout}`);
    if (first === undefined) return;
    try {
      await client.query(`lock table ${first}`);
      await client.query(`set local lock_timeout = ${Math.min(BRIEFLY, lockTimeout)}`);
      for (const other of others) await client.query(`lock table ${other}`);
      await client.query(`set local lock_timeout = ${lockTimeout}`);
      return;
    } catch (error) {
      await client.query("rollback");
      const isHeld = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isHeld || others.length === 0 || Date.now() > until) throw error;
      await pause(PAUSE.least + Math.random() * (PAUSE.most - PAUSE.least));
    }
  }
}

import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** Every posting locks these first. */
const FIRST = ["movements", "customers"];
const LOCK_NOT_AVAILABLE = "55P03";
/** Milliseconds to wait for further locks: less than the time after which Postgres looks for a deadlock. */
const BRIEFLY = 300;
/** Milliseconds between two attempts: a random number between these. */
const PAUSE = { least: 30, most: 200 };

/**
 * The existing tables that a migration alters, in the order in which they are locked: those that it names, and those of
 * the foreign keys and indexes that it names, since dropping a key locks the table that it refers to.
 */
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
 * Begins a transaction with a lock on every table that the migration alters. It waits for the first, `lockTimeout`
 * milliseconds at most. If one of the others is not free within a moment, it releases all of them and tries again, so
 * that it never waits for a session that waits for it. Throws when it does not get them within six times that time.
 */
export async function beginWithLocks(client: pg.Client, sql: string, lockTimeout: number): Promise<void> {
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

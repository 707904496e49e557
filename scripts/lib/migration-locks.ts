import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** Every posting asks for these first. */
const FIRST = ["movements", "customers"];
const LOCK_NOT_AVAILABLE = "55P03";
/** Milliseconds that it waits for further ones: less than after which Postgres looks for a deadlock. */
const BRIEFLY = 300;
/** Milliseconds between two tries, by chance between these. */
const PAUSE = { least: 30, most: 200 };

/** The tables that a migration alters and that are there already, in the order in which they are locked. */
async function alteredTables(client: pg.Client, sql: string): Promise<string[]> {
  const named = sql
    .replace(/--[^\n]*/g, "")
    .matchAll(/\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?("(?:[^"]|"")+"|\w+)/gi);
  const names = [...new Set([...named].map(([, name = ""]) => name))];
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) with ordinality as t(name, nth) where to_regclass(name) is not null order by nth",
    [names],
  );
  const place = (name: string) => {
    const at = FIRST.indexOf(name.replaceAll('"', ""));
    return at < 0 ? FIRST.length : at;
  };
  return rows.map(({ name }) => name).sort((one, other) => place(one) - place(other));
}

/**
 * Begins a transaction with a lock on every table that the migration alters. It waits for the first, `lockTimeout`
 * milliseconds at most; where one of the others is not free soon it lets go of all and tries again, so that it does not wait
 * for somebody who waits for it. Throws when it has them not within six times that.
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

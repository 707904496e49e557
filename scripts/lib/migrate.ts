import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { applyMigration, type Migration, type Patience } from "./apply-migration";
import { PostingGate } from "./posting-gate";
import { projectRoot } from "./project";
import { grantApplication } from "./roles";

export type MigrateOptions = Patience & {
  /** Where the migrations stand, a folder each. */
  folder?: string;
  /** The first migration that is left out, with all that follow it (for tests of a migration). */
  before?: string;
  /** The application's connection string: what its role may do follows the migrations (roles.ts). */
  application?: string;
};

/** The lock that Prisma's own engine takes, so that `prisma migrate deploy` and this wait for each other. */
const migrationLock = 72_707_369;
const quiet = new Logger(() => () => {});
const usualFolder = join(projectRoot, "prisma", "migrations");

// To the letter as Prisma's engine makes it.
const historyTable = `create table if not exists public._prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

function migrationsIn(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** Does the work on one connection, and closes it. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // The query under way is rejected; without a listener the event as well would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function notYetApplied(client: pg.Client, folder: string): Promise<Migration[]> {
  const table = await client.query("select to_regclass('public._prisma_migrations') is not null as there");
  if (!table.rows[0]?.there) return migrationsIn(folder);
  const { rows } = await client.query<{ migration_name: string }>(
    "select migration_name from public._prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  const done = new Set(rows.map((row) => row.migration_name));
  return migrationsIn(folder).filter(({ name }) => !done.has(name));
}

/** Makes the table of what was applied. Refuses a database that holds someone else's tables. */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ foreign: boolean }>(`
    select to_regclass('public._prisma_migrations') is null
      and exists (select 1 from pg_tables where schemaname = 'public') as foreign`);
  if (rows[0]?.foreign) {
    throw new Error("This database holds tables and no history of migrations: it is another program's.");
  }
  await client.query(historyTable);
}

/**
 * Brings a database up to date: Prisma's migrations (in `_prisma_migrations`, so `prisma migrate deploy` and this
 * understand each other) and the job queue's own tables. Each migration is one transaction that waits 5 seconds at most
 * for a lock, so that it never queues others behind it; one that starts with `-- no-transaction` runs statement by
 * statement. Postings wait outside while one changes what they use (posting-gate.ts). What the application's role may
 * do is granted anew each time. Answers the names that were applied now. Throws with the database's message when a
 * migration fails.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return connected(url, async (client) => {
    // Asked for again and again: a session that waits inside a statement would hold up CREATE INDEX CONCURRENTLY.
    const lock = "select pg_try_advisory_lock($1) as held";
    while (!(await client.query(lock, [migrationLock])).rows[0]?.held) await pause(200);
    await prepare(client);
    const { folder = usualFolder, before } = options;
    const all = await notYetApplied(client, folder);
    const missing = before === undefined ? all : all.filter(({ name }) => name < before);
    const gate = await PostingGate.of(client);
    try {
      for (const migration of missing) await applyMigration(client, migration, options, gate);
    } finally {
      await gate.leave();
    }
    await runMigrations({ connectionString: url, logger: quiet });
    // A folder of its own is a test's, without the tables that grants.sql names.
    if (!options.folder) await grantApplication(client, options.application);
    return missing.map(({ name }) => name);
  });
}

/** The migrations that this database still lacks (all of them when it is empty). */
export async function pendingMigrations(url: string): Promise<string[]> {
  return connected(url, async (client) => (await notYetApplied(client, usualFolder)).map(({ name }) => name));
}

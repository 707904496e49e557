import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import type pg from "pg";
import { type Migration, migrationsIn, type SqlText } from "@/lib/db/sql-files";
import { connected, ensureRole, inTransaction, type Login } from "../postgres/server";
import { applyMigration, needsGate, type Patience, patiently } from "./apply-migration";
import { projectRoot } from "./command";
import { PostingGate } from "./posting-gate";
import {
  applyTexts,
  dropFormerTexts,
  ensurePostingLock,
  formerTexts,
  missingTexts,
  prepareTexts,
} from "./sql-texts";

export type MigrateOptions = Patience & {
  /** The folder of the migrations, for tests. Without `texts`, no text is applied then. */
  folder?: string;
  /** The folder that holds `functions`, `views` and `triggers`. */
  texts?: string;
  /** The application's connection string. The rights of its role follow the migrations (prisma/grants.sql). */
  application?: string;
};

/** The lock that Prisma's own engine takes, so that `prisma migrate deploy` and this wait for each other. */
const migrationLock = 72_707_369;
const quiet = new Logger(() => () => {});
const usualPrisma = join(projectRoot, "prisma");
const grants = readFileSync(join(usualPrisma, "grants.sql"), "utf8");

// To the letter as Prisma's engine makes it.
const historyTable = `create table if not exists public._prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

async function notYetApplied(client: pg.Client, folder: string): Promise<Migration[]> {
  const applied = await appliedMigrations(client);
  return migrationsIn(folder).filter(({ name }) => !applied.has(name));
}

async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const table = await client.query("select to_regclass('public._prisma_migrations') is not null as there");
  if (!table.rows[0]?.there) return new Set();
  const { rows } = await client.query<{ migration_name: string }>(
    "select migration_name from public._prisma_migrations where finished_at is not null and rolled_back_at is null",
  );
  return new Set(rows.map((row) => row.migration_name));
}

/** The last of the 59 migrations of commit a60e4c2c, whose schema is now the baseline. They were applied in order. */
const LAST_FORMER = "20261127230000_one_audit_writer";

/** Notes the baseline in a database of a60e4c2c, which has it. Throws for an older one: we lack its steps. */
async function adopt(client: pg.Client, folder: string): Promise<void> {
  const applied = await appliedMigrations(client);
  const [baseline] = migrationsIn(folder);
  if (applied.size === 0 || !baseline || applied.has(baseline.name)) return;
  if (!applied.has(LAST_FORMER)) throw new Error("Upgrade to a60e4c2c first");
  await client.query(
    `insert into public._prisma_migrations (id, checksum, migration_name, finished_at)
     values ($1, $2, $3, now())`,
    [randomUUID(), baseline.checksum, baseline.name],
  );
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

/** Applies texts in one transaction. At first no body is checked: it may name tables of later migrations. */
async function applyTogether(
  client: pg.Client,
  texts: SqlText[],
  { lockTimeout, isFirst, folder }: { lockTimeout: number; isFirst: boolean; folder: string },
): Promise<string[]> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${lockTimeout}`);
    if (isFirst) await client.query("set local check_function_bodies = off");
    else await ensurePostingLock(client);
    await applyTexts(client, texts);
    if (!isFirst) await dropFormerTexts(client, folder);
  });
  return texts.map(({ name }) => name);
}

function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * On the owner's connection, gives the role of `application` (a connection string) exactly what it needs
 * (prisma/grants.sql). Without one, or with the owner's, only closes the functions to others. Throws if the role is not
 * an ordinary one, or has the owner's password.
 */
async function grantApplication(client: pg.Client, application?: string): Promise<void> {
  const { rows } = await client.query<{ me: string }>("select current_user as me");
  const login = application ? loginOf(application) : undefined;
  const apart = login !== undefined && login.name !== rows[0]?.me ? login : undefined;
  if (apart) {
    if (apart.password === "" || apart.password === client.password) {
      throw new Error(
        "The application's role needs a password of its own: DATABASE_URL and DATABASE_OWNER_URL.",
      );
    }
    await ensureRole(client, apart);
  }
  await inTransaction(client, async () => {
    // Two at a time would find each other's rows of the catalogue changed.
    await client.query("select pg_advisory_xact_lock(hashtextextended('grants', 0))");
    await client.query("select set_config('wallet.application', $1, true)", [apart?.name ?? ""]);
    await client.query(grants);
  });
}

/**
 * The greatest number of a transaction in the database, if the next one would not be greater: a dump was restored into
 * another cluster. Anywhere else a snapshot sees smaller ids than its next.
 */
const BEGAN_ANEW = `select last from (select greatest(
    (select max(tx) from public.movements), (select max(tx) from public.audits),
    (select max(to_tx) from public.ledger_progress), (select max(after_tx) from public.webhook_endpoints),
    (select max(tx) from public.merchants m cross join lateral (
      select tx from public.events where merchant_id = m.id order by tx desc limit 1) newest)) as last) kept
  where last >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + public.posting_tx_base()`;

/**
 * Brings a database up to date: the functions of prisma/functions/base and, in a database with postings, of
 * prisma/functions/previous; the migrations (in `_prisma_migrations`, as Prisma notes them); the other functions,
 * views and triggers in one transaction; the job queue's own tables; the grants. If postings use what changes, it
 * closes the posting gate once for all of it. It applies a text if the text's hash is not the last one in
 * `sql_texts`, or if the text's object is missing. Each migration is one transaction that waits 5 seconds at most
 * for a lock, so that it never queues others behind it. A migration that starts with `-- no-transaction` runs
 * statement by statement, with the gate open. In a new cluster it raises the base of transaction ids, so that what is
 * posted comes after what is sealed. Answers the names of what it applied. Throws with the database's message.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return connected(url, async (client) => {
    // Asked for again and again: a session that waits inside a statement would hold up CREATE INDEX CONCURRENTLY.
    const lock = "select pg_try_advisory_lock($1) as held";
    while (!(await client.query(lock, [migrationLock])).rows[0]?.held) await pause(200);
    await prepare(client);
    // A folder that the caller names is a test's: it lacks the tables that texts and grants name.
    const { folder = join(usualPrisma, "migrations"), texts = options.folder ? undefined : usualPrisma } =
      options;
    if (texts !== undefined) {
      await adopt(client, folder);
      await prepareTexts(client);
    }
    const missing = await notYetApplied(client, folder);
    const applied: string[] = [];
    const gate = await PostingGate.of(client);
    const findTexts = async (isFirst: boolean) =>
      texts === undefined
        ? []
        : (await missingTexts(client, texts)).filter(
            (text) => !isFirst || text.isBase || (text.isPrevious && gate.hasPostings),
          );
    const hasFormer = async () => texts !== undefined && (await formerTexts(client, texts)).length > 0;
    const applyBehind = async (isFirst: boolean) => {
      const found = await findTexts(isFirst);
      if (texts === undefined || (found.length === 0 && (isFirst || !(await hasFormer())))) return;
      const work = (lockTimeout: number) =>
        applyTogether(client, found, { lockTimeout, isFirst, folder: texts });
      applied.push(...(await patiently(options, { gate, closed: true }, work)));
    };
    try {
      await applyBehind(true);
      const textsFollow = (await findTexts(false)).length > 0 || (await hasFormer());
      for (const [index, migration] of missing.entries()) {
        const stayClosed = textsFollow || missing.slice(index + 1).some(needsGate);
        await applyMigration(client, migration, options, gate, stayClosed);
        applied.push(migration.name);
      }
      await applyBehind(false);
    } finally {
      await gate.leave();
    }
    await runMigrations({ connectionString: url, logger: quiet });
    if (!options.folder) {
      await grantApplication(client, options.application);
      await client.query(`update public.ledger_settings set tx_base = last from (${BEGAN_ANEW}) restored`);
    }
    return applied;
  });
}

/** The migrations and texts that this database still lacks (all of them when it is empty). */
export async function pendingMigrations(url: string): Promise<string[]> {
  return connected(url, async (client) => {
    const migrations = await notYetApplied(client, join(usualPrisma, "migrations"));
    return [...migrations, ...(await missingTexts(client, usualPrisma))].map(({ name }) => name);
  });
}

/** Throws, with what to do, when the database lacks migrations or texts, or was restored into another cluster. */
export async function assertMigrated(url: string): Promise<void> {
  const pending = await pendingMigrations(url);
  if (pending.length > 0) {
    const names = pending.slice(0, 3).join(", ");
    throw new Error(
      `The database lacks ${pending.length} migrations or SQL texts (${names} …). Run: npm run migrate`,
    );
  }
  const { rowCount } = await connected(url, (client) => client.query(BEGAN_ANEW));
  if (rowCount !== 0) throw new Error("The database comes from another cluster. Run: npm run migrate");
}

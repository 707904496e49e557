import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { dropDatabase, withDatabaseName } from "@/lib/testing/database";
import { connected, ensureDatabase } from "../postgres/server";
import { statementsOf } from "./apply-migration";
import { projectRoot } from "./command";
import { migrate, pendingMigrations } from "./migrate";
import { withSchemaEngine } from "./new-migration";

const { url: server } = inject("testServer");
const real = join(projectRoot, "prisma/migrations");
const root = mkdtempSync(join(tmpdir(), "wallet-migrations-"));
const made: string[] = [];
const clients: pg.Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  for (const name of made) await dropDatabase(server, name);
  rmSync(root, { recursive: true, force: true });
});

/** An empty database of its own: its address, and a connection. */
async function empty(): Promise<{ url: string; client: pg.Client }> {
  const name = `wallet_migrate_${randomUUID().slice(0, 8)}`;
  made.push(name);
  await ensureDatabase(server, name);
  const url = withDatabaseName(server, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return { url, client };
}

function write(folder: string, migrations: Record<string, string>): string {
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "migration.sql"), sql);
  }
  return folder;
}
const folderOf = (migrations: Record<string, string>) => write(mkdtempSync(join(root, "m-")), migrations);

type Row = { migration_name: string; checksum: string; finished: boolean; rolled_back: boolean };
const history = async (client: pg.Client) =>
  (
    await client.query<Row & { applied_steps_count: number; logs: string | null }>(`
      select migration_name, checksum, finished_at is not null as finished,
        rolled_back_at is not null as rolled_back, applied_steps_count, logs
      from _prisma_migrations order by started_at, migration_name`)
  ).rows;

/** What Prisma's own engine does with a folder of migrations. Answers the names that it applied. */
async function prismaDeploy(url: string, folder: string): Promise<string[]> {
  const names = readdirSync(folder).filter((name) => !/\.(toml|txt)$/.test(name));
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const migrationsList = {
    baseDir: folder,
    lockfile: {
      path: "migration_lock.toml",
      content: readFileSync(join(real, "migration_lock.toml"), "utf8"),
    },
    shadowDbInitScript: "",
    migrationDirectories: names.sort().map((path) => ({
      path,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: read(`${path}/migration.sql`) },
      },
    })),
  };
  const filters = { externalTables: [], externalEnums: [] };
  const apply = { migrationsList, filters };
  return (await withSchemaEngine(url, undefined, (engine) => engine.applyMigrations(apply)))
    .appliedMigrationNames;
}

test("all are applied once, also by two at a time, and the queue's tables stand", async () => {
  const { url, client } = await empty();
  const all = await pendingMigrations(url);
  const applied = await Promise.all([migrate(url), migrate(url)]);
  expect(applied.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, all.length]);
  expect(await pendingMigrations(url)).toEqual([]);
  expect(await migrate(url)).toEqual([]);
  const names = readdirSync(real).filter((name) => /^\d/.test(name));
  expect(await history(client)).toMatchObject(
    names.map((name) => ({ migration_name: name, finished: true })),
  );
  const { rows } = await client.query("select to_regclass('graphile_worker.jobs') is not null as there");
  expect(rows).toEqual([{ there: true }]);
});

test("migrations that Prisma's engine applied go on here, and the other way round", async () => {
  const { url, client } = await empty();
  const folder = folderOf({ "1_one": "create table one (id int);" });
  expect(await prismaDeploy(url, folder)).toEqual(["1_one"]);
  const before = await history(client);
  write(folder, { "2_two": "create table two (id int);" });
  expect(await migrate(url, { folder })).toEqual(["2_two"]);
  const after = await history(client);
  expect(after.slice(0, 1)).toEqual(before);
  const sum = (name: string) =>
    createHash("sha256").update(readFileSync(join(folder, name, "migration.sql")));
  expect(after.map((row) => row.checksum)).toEqual(["1_one", "2_two"].map((name) => sum(name).digest("hex")));
  expect(await prismaDeploy(url, folder)).toEqual([]);
});

test("Prisma's engine alone makes no wallet, and finds nothing to do in one", async () => {
  const { url } = await empty();
  await expect(prismaDeploy(url, real)).rejects.toThrow("20261123200000_baseline");
  const { url: whole } = await empty();
  await migrate(whole);
  expect(await prismaDeploy(whole, real)).toEqual([]);
});

test("one that fails leaves nothing, says where, counts as failed for Prisma too, and can be run again", async () => {
  const { url, client } = await empty();
  const folder = folderOf({
    "1_one": "create table one (id int);",
    "2_two": "create table two (id int);\n\nalter table missing add x int;",
    "3_three": "create table three (id int);",
  });
  await expect(migrate(url, { folder })).rejects.toThrow(
    /^Migration 2_two failed: .*"missing" does not exist\nNothing of it was applied/,
  );
  expect(await history(client)).toMatchObject([
    { migration_name: "1_one", finished: true, applied_steps_count: 1 },
    { migration_name: "2_two", finished: false, rolled_back: false, applied_steps_count: 0 },
  ]);
  expect((await history(client))[1]?.logs).toContain("missing");
  await expect(prismaDeploy(url, folder)).rejects.toThrow("2_two");
  write(folder, { "2_two": "create table two (id int);" });
  expect(await migrate(url, { folder })).toEqual(["2_two", "3_three"]);
  expect(await history(client)).toMatchObject([
    { migration_name: "1_one" },
    { migration_name: "2_two", finished: false, rolled_back: true },
    { migration_name: "2_two", finished: true, rolled_back: false },
    { migration_name: "3_three", finished: true },
  ]);
  expect(await prismaDeploy(url, folder)).toEqual([]);
});

test("a syntax error is named with its line", async () => {
  const { url } = await empty();
  const folder = folderOf({ "1_one": "create table one (id int);\n\ncreate tabel two (id int);" });
  await expect(migrate(url, { folder })).rejects.toThrow("line 3: syntax error");
});

test("a table in use is waited for in short turns, and given up with a clear message", async () => {
  const { url, client } = await empty();
  const folder = folderOf({ "1_one": "create table one (id int);" });
  await migrate(url, { folder });
  write(folder, { "2_two": "alter table one add x int;" });
  await client.query("begin");
  await client.query("lock table one in share mode");
  const patience = { folder, lockTimeout: 50, attempts: 2 };
  await expect(migrate(url, patience)).rejects.toThrow(
    "The database is busy: run the migration again later.",
  );
  const waiting = migrate(url, { folder, lockTimeout: 100, attempts: 50 });
  const asked = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query = 'lock table one'`;
  // Within a transaction the list of who waits would stay as it was first seen.
  await connected(url, async (watcher) => {
    while ((await watcher.query(asked)).rowCount === 0);
  });
  await client.query("commit");
  expect(await waiting).toEqual(["2_two"]);
});

test("a migration that the database ends in a deadlock with postings is tried again", async () => {
  const { url, client } = await empty();
  const folder = folderOf({ "1_both": "create table one (id int); create table two (id int);" });
  await migrate(url, { folder });
  // What a migration alters it locks beforehand; an index is not that.
  write(folder, { "2_both": "create index on one (id); create index on two (id);" });
  // Whoever's patience ends first ends the deadlock: the migration.
  await client.query("set deadlock_timeout = '1min'");
  await client.query("begin");
  await client.query("lock table two in row exclusive mode");
  const migrating = migrate(url, { folder });
  const asked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await connected(url, async (watcher) => {
    while ((await watcher.query(asked)).rowCount === 0);
  });
  await client.query("lock table one in row exclusive mode");
  await client.query("commit");
  expect(await migrating).toEqual(["2_both"]);
});

const CONCURRENT = `-- no-transaction: the table is large
create table if not exists big as select n from generate_series(1, 100) n; -- a comment; with an end
create index concurrently "big_n_idx" on big (n);
create unique index concurrently if not exists big_n_key on big (n);
`;
const indexes = async (client: pg.Client) =>
  (
    await client.query(`select c.relname as name, i.indisvalid as valid from pg_index i
      join pg_class c on c.oid = i.indexrelid where c.relname like 'big_%' order by 1`)
  ).rows;
const bothValid = [
  { name: "big_n_idx", valid: true },
  { name: "big_n_key", valid: true },
];

test("without a transaction, also by two at a time", async () => {
  const { url, client } = await empty();
  const folder = folderOf({ "1_big": CONCURRENT });
  const applied = await Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
  expect(applied.flat()).toEqual(["1_big"]);
  expect(await indexes(client)).toEqual(bothValid);
  expect(await history(client)).toMatchObject([{ finished: true, applied_steps_count: 3 }]);
});

test("an index that was left invalid is dropped and made again", async () => {
  const { url, client } = await empty();
  const folder = folderOf({ "1_big": CONCURRENT });
  const broken = folderOf({
    "1_big": CONCURRENT.replace("n from generate_series(1, 100) n", "1 as n from generate_series(1, 2)"),
  });
  await expect(migrate(url, { folder: broken })).rejects.toThrow(
    /1_big failed: could not create unique index/,
  );
  expect(await indexes(client)).toEqual([
    { name: "big_n_idx", valid: true },
    { name: "big_n_key", valid: false },
  ]);
  await client.query("delete from big where ctid = '(0,2)'");
  expect(await migrate(url, { folder })).toEqual(["1_big"]);
  expect(await indexes(client)).toEqual(bothValid);
});

test("a database with tables of someone else's is refused", async () => {
  const { url, client } = await empty();
  await client.query("create table theirs (id int)");
  await expect(migrate(url)).rejects.toThrow("another program's");
});

test("a script is cut at its own semicolons only", () => {
  const sql = `select ';' as "a;b"; -- one; two
    /* three; */ do $body$ begin perform 1; end $body$; select 4 - 2 / 1, $1`;
  expect(statementsOf(sql)).toEqual([
    `select ';' as "a;b"`,
    "do $body$ begin perform 1; end $body$",
    "select 4 - 2 / 1, $1",
  ]);
});

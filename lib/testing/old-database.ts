import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { statementsOf } from "@/scripts/lib/apply-migration";
import { projectRoot } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { ensureDatabase } from "@/scripts/postgres/server";
import { dropDatabase, withDatabaseName } from "./database";

export type OldDatabase = { url: string; application: string; client: pg.Client };

const fixture = (name: string) =>
  gunzipSync(readFileSync(join(projectRoot, "lib/testing/fixtures", name))).toString();

/** An empty database, dropped after the test: its addresses as the owner and the application, and an owner's connection. */
export async function emptyDatabase(): Promise<OldDatabase> {
  const { url: server, application } = inject("testServer");
  const name = `wallet_old_${randomUUID().slice(0, 8)}`;
  await ensureDatabase(server, name);
  const url = withDatabaseName(server, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(server, name);
  });
  return { url, application: withDatabaseName(application, name), client };
}

/** A database of commit a60e4c2c, made by its migrations (the first of them, where a number is given) and its grants. */
export async function databaseOfA60e4c2c(migrations?: number): Promise<OldDatabase> {
  const made = await emptyDatabase();
  const old: { migrations: Record<string, string>; grants: string } = JSON.parse(
    fixture("a60e4c2c-schema.json.gz"),
  );
  const folder = mkdtempSync(join(tmpdir(), "wallet-a60e4c2c-"));
  try {
    for (const [name, sql] of Object.entries(old.migrations).slice(0, migrations)) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "migration.sql"), sql);
    }
    await migrate(made.url, { folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (migrations === undefined) {
    const role = decodeURIComponent(new URL(made.application).username);
    await made.client.query("begin");
    await made.client.query("select set_config('wallet.application', $1, true)", [role]);
    await made.client.query(old.grants);
    await made.client.query("commit");
  }
  return made;
}

const dumped = () => statementsOf(fixture("a60e4c2c-demo.sql.gz"));

/** The same with the demo's rows, as that commit wrote and sealed them. */
export async function demoOfA60e4c2c(): Promise<OldDatabase> {
  const made = await databaseOfA60e4c2c();
  const rows = dumped().filter((statement) => /^INSERT INTO public\./.test(statement));
  await made.client.query("begin; set local session_replication_role = replica");
  for (const statement of rows) {
    const table = /^INSERT INTO (\S+)/.exec(statement)?.[1];
    if (table !== "public._prisma_migrations") await made.client.query(`delete from ${table}`);
  }
  for (const statement of rows) {
    if (!statement.startsWith("INSERT INTO public._prisma_migrations")) await made.client.query(statement);
  }
  await made.client.query("commit");
  return made;
}

/** That demo, dumped with pg_dump and restored into a new database. */
export async function restoredA60e4c2c(): Promise<OldDatabase> {
  const made = await emptyDatabase();
  for (const statement of dumped()) await made.client.query(statement);
  await made.client.query("reset all");
  return made;
}

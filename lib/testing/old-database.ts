import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { migrate } from "@/scripts/lib/migrate";
import { projectRoot } from "@/scripts/lib/project";
import { ensureDatabase } from "@/scripts/postgres/server";
import { dropDatabase, withDatabaseName } from "./database";

export type OldDatabase = { url: string; client: pg.Client };

/**
 * A database from before a migration: the earlier migrations are applied and recorded, so that `migrate` applies the
 * rest. It is dropped after the test. Throws when there is no such migration.
 */
export async function databaseBefore(migration: string): Promise<OldDatabase> {
  if (!existsSync(join(projectRoot, "prisma", "migrations", migration))) {
    throw new Error(`there is no migration ${migration}`);
  }
  const server = inject("testServer").url;
  const name = `wallet_old_${randomUUID().slice(0, 8)}`;
  await ensureDatabase(server, name);
  const url = withDatabaseName(server, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await dropDatabase(server, name);
  });
  await migrate(url, { before: migration });
  return { url, client };
}

/** Tables that a migration renamed: totalsOf counts them under the new name. */
const RENAMED = new Map([["card_holders", "card_devices"]]);

/** The row count of each table, and the balances, movements and sums that a migration must not change. */
export async function totalsOf(client: pg.Client): Promise<Record<string, unknown>> {
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> '_prisma_migrations' order by 1`,
  );
  const counts: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    if (name === "daily_sums") continue;
    const { rows } = await client.query(`select count(*)::int as n from ${client.escapeIdentifier(name)}`);
    counts[RENAMED.get(name) ?? name] = rows[0].n;
  }
  const read = async (sql: string) => (await client.query(sql)).rows;
  // Later versions store reasons in movement_texts.
  const texts = tables.rows.some(({ name }) => name === "movement_texts");
  const reason = texts
    ? "(select t.reason from movement_texts t where t.movement_id = movements.id) as reason"
    : "reason";
  return {
    counts,
    balances: await read("select id, balance, movement_count, status from customers order by id"),
    movements: await read(
      `select id, customer_id, merchant_id, type, points, balance_after, rate, seq, idempotency_key, request_hash,
        reverses_id, ${reason}, proof, created_at from movements order by id`,
    ),
    days: await read(
      `select day, merchant_id, type, sum(movements)::int as movements, sum(points)::int as points
       from daily_sums group by 1, 2, 3 order by 1, 2, 3`,
    ),
    merchantDays: await read("select * from merchant_days order by merchant_id, day"),
    wrong: await read(
      `select c.id from customers c left join movements m on m.customer_id = c.id
       group by c.id having c.balance <> coalesce(sum(m.points), 0) or c.movement_count <> count(m.id)`,
    ),
  };
}

type Dump = Record<string, { columns: string[]; rows: unknown[][] }>;

/**
 * Fills an old database with the rows of a dump: gzipped JSON with the columns and rows of each table. Triggers and
 * foreign keys are off meanwhile, because the tables are filled in order of their names.
 */
export async function loadDump(client: pg.Client, file: string): Promise<void> {
  const dump: Dump = JSON.parse(
    gunzipSync(readFileSync(join(projectRoot, "lib/testing/fixtures", file))).toString(),
  );
  await client.query("begin; set local session_replication_role = replica");
  for (const [table, { columns, rows }] of Object.entries(dump)) {
    const name = client.escapeIdentifier(table);
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const records = rows.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, row[index]])),
    );
    await client.query(`delete from ${name}`);
    await client.query(
      `insert into ${name} (${list}) select ${list} from json_populate_recordset(null::${name}, $1::json)`,
      [JSON.stringify(records)],
    );
  }
  await client.query("commit");
}

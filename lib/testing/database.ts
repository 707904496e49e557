import pg from "pg";
import { afterAll, inject } from "vitest";
import { createDb, type Db, type Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { endPostingPools } from "@/lib/ledger/posting-pool";
import { madeOnce } from "@/lib/observe/once";

let database: Promise<Db> | undefined;

/**
 * The migrated Postgres database of this test file. No other file uses it, and it is dropped after the last test. The
 * client connects as the owner, which may also write what the application's role must not. `getDb()` and DATABASE_URL
 * use the same database as the application's role. Call it once, at the top: `const db = await testDb();`.
 */
export function testDb(): Promise<Db> {
  database ??= createDatabase();
  return database;
}

async function createDatabase(): Promise<Db> {
  const { url, template } = inject("testServer");
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  await cloneDatabase(url, template, name);
  const db = createDb(withDatabaseName(url, name), 20, { statements: "named" });
  afterAll(async () => {
    for (const { pool } of madeOnce<Map<string, { pool: pg.Pool }>>("runs")?.values() ?? []) await pool.end();
    for (const client of [db, madeOnce<Db>("db") ?? []].flat()) {
      await endPostingPools(client);
      await client.$disconnect();
    }
    await dropDatabase(url, name);
  });
  return db;
}

/** The owner's connection string of this test file's database, for tests that open their own connection. */
export function ownerUrl(): string {
  return withDatabaseName(
    inject("testServer").url,
    new URL(process.env.DATABASE_URL ?? "").pathname.slice(1),
  );
}

/** The connection string of another database on the same server. */
export function withDatabaseName(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.toString();
}

async function onServer(url: string, statement: (name: (raw: string) => string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement((raw) => client.escapeIdentifier(raw)));
  } finally {
    await client.end();
  }
}

/** Copies a database that has no open connections. */
const cloneDatabase = (url: string, template: string, copy: string): Promise<void> =>
  onServer(url, (name) => `create database ${name(copy)} template ${name(template)} strategy file_copy`);

/** Drops a database and closes its connections. */
export const dropDatabase = (url: string, database: string): Promise<void> =>
  onServer(url, (name) => `drop database if exists ${name(database)} with (force)`);

type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
};
type Explained = { Plan: PlanNode };

/**
 * A statement that an operation sent: its SQL, the tables it scans without an index, and the number of rows it reads, of
 * all tables and of movements only. A planner is free to scan a table of a hundred rows, so the sum of all may vary.
 */
export type ExplainedStatement = { sql: string; scanned: string[]; read: number; readMovements: number };

// A sequential scan that stops after this many rows is allowed: it is the fastest plan for a very common search term.
const MAX_SCANNED_ROWS = 6_000;

function scannedBy(node: PlanNode): string[] {
  const read = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  const own =
    node["Node Type"] === "Seq Scan" && read > MAX_SCANNED_ROWS ? [node["Relation Name"] ?? "?"] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

function readBy(node: PlanNode, counts: (table: string) => boolean): number {
  const own = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + readBy(plan, counts), 0);
  const table = node["Relation Name"];
  return below + (table && counts(table) ? own * (node["Actual Loops"] ?? 1) : 0);
}

async function explain(db: Db | Tx, sql: Prisma.Sql): Promise<ExplainedStatement> {
  const [row] = await db.$queryRaw<{ "QUERY PLAN": Explained[] }[]>(
    Prisma.sql`explain (analyze, timing off, summary off, format json) ${sql}`,
  );
  const plan = row?.["QUERY PLAN"][0];
  if (!plan) throw new Error("the database explained nothing");
  const readMovements = readBy(plan.Plan, (table) => table === "movements");
  return { sql: sql.sql, scanned: scannedBy(plan.Plan), read: readBy(plan.Plan, () => true), readMovements };
}

/**
 * A client that runs EXPLAIN on each raw query before the query, also in transactions, and the list of these queries.
 */
export function explainStatements(db: Db): { db: Db; statements: ExplainedStatement[] } {
  const statements: ExplainedStatement[] = [];
  function watched<Client extends Db | Tx>(client: Client): Client {
    const $queryRaw = async (query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      const sql = "sql" in query ? query : Prisma.sql(query, ...values);
      statements.push(await explain(client, sql));
      return client.$queryRaw(sql);
    };
    const $transaction = (work: unknown, options?: object) =>
      typeof work === "function"
        ? db.$transaction((tx) => work(watched(tx)), options)
        : Reflect.apply(db.$transaction, db, [work, options]);
    const own: Record<PropertyKey, unknown> = { $queryRaw, $transaction };
    return new Proxy(client, { get: (target, name) => own[name] ?? Reflect.get(target, name) });
  }
  return { db: watched(db), statements };
}

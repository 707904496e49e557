import pg from "pg";
import { afterAll, inject } from "vitest";
import { createDb, type Db, type Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { endPostingPools } from "@/lib/ledger/posting-pool";

let made: Promise<Db> | undefined;

/**
 * The migrated database of this file of tests: real Postgres, nobody else's, gone after the file's last test. It is the
 * owner's connection, which may also arrange what the application must not write; `getDb()` and DATABASE_URL reach the
 * same database as the application's role. Call it once, at the top: `const db = await testDb();`.
 */
export function testDb(): Promise<Db> {
  made ??= make();
  return made;
}

async function make(): Promise<Db> {
  const { url, template } = inject("testServer");
  const name = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  await cloneDatabase(url, template, name);
  const db = createDb(atDatabase(url, name), 20);
  afterAll(async () => {
    const kept = globalThis as typeof globalThis & {
      walletDb?: Db;
      walletRuns?: Map<string, { pool: pg.Pool }>;
    };
    for (const { pool } of kept.walletRuns?.values() ?? []) await pool.end();
    for (const one of kept.walletDb ? [db, kept.walletDb] : [db]) {
      await endPostingPools(one);
      await one.$disconnect();
    }
    await dropDatabase(url, name);
  });
  return db;
}

/** The owner's connection string to this file's database, for what a connection of its own has to arrange. */
export function ownerUrl(): string {
  return atDatabase(inject("testServer").url, new URL(process.env.DATABASE_URL ?? "").pathname.slice(1));
}

/** The same server's connection string, for another of its databases. */
export function atDatabase(url: string, database: string): string {
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

/** Makes a copy of a database to which nobody is connected. */
const cloneDatabase = (url: string, template: string, copy: string): Promise<void> =>
  onServer(url, (name) => `create database ${name(copy)} template ${name(template)} strategy file_copy`);

/** Drops a database, its open connections included. */
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

/** One statement that an operation sent: its text, the tables it reads without an index, how many rows it looks at in all. */
export type Statement = { sql: string; scanned: string[]; read: number };

// A term that everyone has is found fastest by looking at anyone: a scan that stops so early is none.
const A_GLANCE = 6_000;

function scannedBy(node: PlanNode): string[] {
  const read = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Node Type"] === "Seq Scan" && read > A_GLANCE ? [node["Relation Name"] ?? "?"] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedBy)];
}

function readBy(node: PlanNode): number {
  const own = (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + readBy(plan), 0);
  return below + (node["Relation Name"] ? own * (node["Actual Loops"] ?? 1) : 0);
}

async function explain(db: Db | Tx, sql: Prisma.Sql): Promise<Statement> {
  const [row] = await db.$queryRaw<{ "QUERY PLAN": Explained[] }[]>(
    Prisma.sql`explain (analyze, timing off, summary off, format json) ${sql}`,
  );
  const plan = row?.["QUERY PLAN"][0];
  if (!plan) throw new Error("the database explained nothing");
  return { sql: sql.sql, scanned: scannedBy(plan.Plan), read: readBy(plan.Plan) };
}

/** A client that explains every raw query that goes through it, also within its transactions, before it runs it. */
export function explaining(db: Db): { db: Db; statements: Statement[] } {
  const statements: Statement[] = [];
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

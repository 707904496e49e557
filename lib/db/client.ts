import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import type { IsolationLevel, SqlQuery, SqlQueryable, Transaction } from "@prisma/driver-adapter-utils";
import { Pool } from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { oncePerProcess } from "@/lib/observe/once";
import { watchPool } from "@/lib/observe/pools";
import { acceptAny, acceptPrimary, endSilent, isKeptStatementLost } from "./faults";
import { PrismaClient } from "./generated/client";

/** The number of statements that get a name: each costs memory on every connection until the connection ends. */
const NAMED_AT_MOST = 400;

/**
 * Statements without a name: `select *`, since a named one keeps the columns of its first day and Postgres refuses it
 * after a migration; patterns, since a generic plan takes every pattern for a rare one; and movements in no sum yet,
 * since a generic plan takes a third of all movements for later ones.
 */
const NAMELESS = /^\s*select\s+(\w+\.)?\*|\bi?like\b|\bledger_progress where\b/i;

/** Names for a client's statements, so that a connection parses each once. A text seen once gets none. */
function statementNames() {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return {
    /** The name under which a connection keeps this statement, or "". */
    nameOf({ sql }: { sql: string }): string {
      const name = names.get(sql);
      if (name !== undefined) return name;
      if (names.size >= NAMED_AT_MOST || NAMELESS.test(sql)) return "";
      if (!seen.delete(sql)) {
        if (seen.size >= NAMED_AT_MOST) seen.clear();
        seen.add(sql);
        return "";
      }
      // Derived from the text: one name never means two statements, even where a pooler shares connections.
      const given = `wallet_${createHash("sha256").update(sql).digest("base64url")}`;
      names.set(sql, given);
      return given;
    },
    drop(sql: string): void {
      names.set(sql, "");
    },
  };
}

type Run = <Answer>(query: SqlQuery, run: (query: SqlQuery) => Promise<Answer>) => Promise<Answer>;

function sendBy<Queryable extends SqlQueryable>(to: Queryable, way: Run): Queryable {
  const [queryRaw, executeRaw] = [to.queryRaw.bind(to), to.executeRaw.bind(to)];
  return Object.assign(to, {
    queryRaw: (query: SqlQuery) => way(query, queryRaw),
    executeRaw: (query: SqlQuery) => way(query, executeRaw),
  });
}

/** One statement at a time: Prisma reads relations side by side; from pg 9 on, a connection takes one. */
function inTurn(): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (query, run) => {
    const answer = last.then(() => run(query));
    last = answer.catch(() => undefined);
    return answer;
  };
}

type Options = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

/** A statement whose kept name is lost gets none from then on; outside of a transaction it is sent again. */
class PostgresAdapter extends PrismaPg {
  constructor(
    pool: Pool,
    options: Options,
    private readonly names?: ReturnType<typeof statementNames>,
  ) {
    super(pool, names ? { ...options, statementNameGenerator: names.nameOf } : options);
  }

  override async connect() {
    const adapter = await super.connect();
    const { names } = this;
    const start = adapter.startTransaction.bind(adapter);
    const renamed: Run = async (query, run) => {
      try {
        return await run(query);
      } catch (error) {
        if (names && isKeptStatementLost(error)) names.drop(query.sql);
        throw error;
      }
    };
    const again: Run = (query, run) =>
      renamed(query, run).catch((error: unknown) => {
        if (!isKeptStatementLost(error)) throw error;
        return run(query);
      });
    const startTransaction = async (level?: IsolationLevel): Promise<Transaction> =>
      sendBy(sendBy(await start(level), renamed), inTurn());
    return Object.assign(sendBy(adapter, again), { startTransaction });
  }
}

export type Db = PrismaClient;
export type Tx = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** A client or a transaction, as far as one statement needs it. */
export type Queries = {
  $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
};

type Statements = "named" | "unnamed";

type ClientOptions = {
  statements?: Statements;
  pooler?: "none" | "transaction";
  /** A primary's client refuses a standby. */
  server?: "primary" | "replica";
};

/** A new client for a database. It waits 10 seconds for a connection and closes idle ones after 30 seconds. */
export function createDb(
  url: string,
  max = 10,
  { statements = "unnamed", pooler = "none", server = "primary" }: ClientOptions = {},
): Db {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    onConnect: server === "primary" ? acceptPrimary : acceptAny,
  });
  // Behind a pooler a connection is none of Postgres's processes, so nobody can be asked.
  if (pooler === "none") endSilent(pool, url);
  // Without this listener, a connection that ends just after the pool gave it away would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const options = {
    disposeExternalPool: true,
    // Without a listener, a lost connection to Postgres would end the process.
    onPoolError: (error: Error) => log("error", "a database connection was lost", { error }),
  };
  const names = statements === "named" ? statementNames() : undefined;
  watchPool(server === "primary" ? "queries" : "replica", pool);
  const adapter = new PostgresAdapter(pool, options, names);
  // In a burst, transactions wait longer than Prisma's default of two seconds.
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
  made.set(db, { url, max, statements });
  return db;
}

export type ClientSettings = { url: string; max: number; statements: Statements };
const made = oncePerProcess("clients", () => new WeakMap<Db, ClientSettings>());

/** The settings of a client from createDb; undefined for any other, such as a transaction. */
export const settingsOf = (db: Db): ClientSettings | undefined => made.get(db);

/** The connection string of a client from createDb. Throws an Error for any other client. */
export function urlOf(db: Db): string {
  const url = made.get(db)?.url;
  if (url === undefined) throw new Error("this client was not made by createDb");
  return url;
}

/** The client of this process, created at first use and kept across hot reloads. */
export function getDb(): Db {
  return oncePerProcess("db", () => {
    const { DATABASE_URL, DATABASE_POOL, DATABASE_STATEMENTS: statements, DATABASE_POOLER: pooler } = env();
    return createDb(DATABASE_URL, DATABASE_POOL, { statements, pooler });
  });
}

/** Whether the program's role can write movements only by the ledger's functions; false for the owner's role. */
export async function hasSeparateRole(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ apart: boolean }[]>`
    select not has_table_privilege('movements', 'insert, update, delete, truncate') as apart`;
  return row?.apart ?? false;
}

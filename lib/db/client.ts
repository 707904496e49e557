import { Pool } from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { oncePerProcess } from "@/lib/observe/once";
import { watchPool } from "@/lib/observe/pools";
import { PostgresAdapter } from "./adapter";
import { PrismaClient } from "./generated/client";
import { statementNames } from "./statement-names";

export type Db = PrismaClient;
/** The client inside an interactive transaction. */
export type Tx = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** Whether each connection keeps its statements under names: see DATABASE_STATEMENTS. */
type Statements = "named" | "unnamed";

/** A new client for a database. It waits 10 seconds for a connection and closes idle ones after 30 seconds. */
export function createDb(url: string, max = 10, statements: Statements = "unnamed"): Db {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  // A connection may end between the moment when the pool gives it away and that when its user listens. Its next statement
  // reports that; without this listener it would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const options = {
    disposeExternalPool: true,
    // Without a listener, a lost connection to Postgres would end the process.
    onPoolError: (error: Error) => log("error", "a database connection was lost", { error }),
  };
  const names = statements === "named" ? statementNames() : undefined;
  const adapter = new PostgresAdapter(watchPool("queries", pool), options, names);
  // In a burst, transactions wait longer than Prisma's default of two seconds.
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
  urls.set(db, url);
  return db;
}

const urls = oncePerProcess("urls", () => new WeakMap<Db, string>());

/** The connection string of a client from createDb. Throws an Error for any other client. */
export function urlOf(db: Db): string {
  const url = urls.get(db);
  if (url === undefined) throw new Error("this client was not made by createDb");
  return url;
}

/** The client of this process, created at first use and kept across hot reloads. */
export function getDb(): Db {
  return oncePerProcess("db", () =>
    createDb(env().DATABASE_URL, env().DATABASE_POOL, env().DATABASE_STATEMENTS),
  );
}

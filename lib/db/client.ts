import { Pool } from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
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

// Global, since the server's start and its routes share the client but are bundled separately.
const shared = globalThis as typeof globalThis & { walletUrls?: WeakMap<Db, string> };
shared.walletUrls ??= new WeakMap();
const urls = shared.walletUrls;

/** The connection string of a client from createDb. Throws an Error for any other client. */
export function urlOf(db: Db): string {
  const url = urls.get(db);
  if (url === undefined) throw new Error("this client was not made by createDb");
  return url;
}

const store = globalThis as typeof globalThis & { walletDb?: Db };

/** The client of this process, created at first use and kept across hot reloads. */
export function getDb(): Db {
  store.walletDb ??= createDb(env().DATABASE_URL, env().DATABASE_POOL, env().DATABASE_STATEMENTS);
  return store.walletDb;
}

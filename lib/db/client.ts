import { Pool } from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { watchPool } from "@/lib/observe/pools";
import { PostgresAdapter } from "./adapter";
import { PrismaClient } from "./generated/client";

export type Db = PrismaClient;
/** The client inside an interactive transaction. */
export type Tx = Parameters<Parameters<PrismaClient["$transaction"]>[0]>[0];

/** So many statements get a name: each costs memory on every connection, until that ends. */
const NAMED_AT_MOST = 400;

/**
 * Statements without a name. Of all columns: those of its first day, so that Postgres refuses it after a migration. With a
 * pattern: a plan for every pattern takes each for a rare one. With movements that no sum has: a plan for every transaction
 * takes a third of all for later ones.
 */
const NAMELESS = /^\s*select\s+(\w+\.)?\*|\bi?like\b|\bledger_progress where\b/i;

/**
 * Names for the statements of one client, so that each connection has them parsed once, and planned once where
 * Postgres finds that no values deserve a plan of their own. One that may be the only one of its text gets none.
 */
function statementNames(): ({ sql }: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= NAMED_AT_MOST || NAMELESS.test(sql)) return "";
    if (!seen.delete(sql)) {
      if (seen.size >= NAMED_AT_MOST) seen.clear();
      seen.add(sql);
      return "";
    }
    const given = `wallet_${names.size}`;
    names.set(sql, given);
    return given;
  };
}

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
  const adapter = new PostgresAdapter(watchPool("queries", pool), {
    disposeExternalPool: true,
    ...(statements === "named" ? { statementNameGenerator: statementNames() } : {}),
    // Without a listener, a lost connection to Postgres would end the process.
    onPoolError: (error) => log("error", "a database connection was lost", { error }),
  });
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

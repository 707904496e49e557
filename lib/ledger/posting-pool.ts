import { Pool, type PoolClient } from "pg";
import { type Db, urlOf } from "@/lib/db/client";
import { acceptPrimary, endSilent, insist } from "@/lib/db/faults";
import { env } from "@/lib/env";
import { oncePerProcess } from "@/lib/observe/once";
import { watchPool } from "@/lib/observe/pools";

/** `fast` never waits for a customer, `slow` does, a second at a time. */
export type Lane = "fast" | "slow";
export type PostingPools = Record<Lane, Pool>;

/** The longest time that a posting's statement may take, in milliseconds. */
const STATEMENT_MS = 20_000;
const LOCK_TIMEOUT: Record<Lane, string> = { fast: "10s", slow: "1s" };

export const LANE_CONNECTIONS = 2;

const pools = oncePerProcess("posting pools", () => new WeakMap<Db, PostingPools>());

/** The posting pools of a client's database, made at first use. */
export function postingPools(db: Db): PostingPools {
  const made = pools.get(db) ?? { fast: makePool("fast", urlOf(db)), slow: makePool("slow", urlOf(db)) };
  pools.set(db, made);
  return made;
}

/** Ends the pools, if there are any. Call it before their database goes. */
export async function endPostingPools(db: Db): Promise<void> {
  const made = pools.get(db);
  pools.delete(db);
  await Promise.all([made?.fast.end(), made?.slow.end()]);
}

const isPooled = () => env().DATABASE_POOLER === "transaction";

function makePool(lane: Lane, connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: LANE_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    allowExitOnIdle: true,
    ...(isPooled()
      ? { query_timeout: STATEMENT_MS + 5_000 }
      : { onConnect: (client) => prepare(client as PoolClient, lane) }),
  });
  if (!isPooled()) endSilent(pool, connectionString);
  // Without listeners a dying Postgres would bring the whole process down; the next posting reports it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return watchPool(`posting_${lane}`, pool);
}

function limitsOf(lane: Lane, scope: "session" | "local"): string[] {
  return [
    `statement_timeout = ${STATEMENT_MS}`,
    "idle_in_transaction_session_timeout = '15s'",
    "transaction_timeout = 0",
    `lock_timeout = '${LOCK_TIMEOUT[lane]}'`,
    "synchronous_commit = on",
  ].map((setting) => `SET ${scope} ${setting}`);
}

/** Posting is right only under this one, whatever the default of the role or the database. */
const ISOLATION = "ISOLATION LEVEL READ COMMITTED, READ WRITE";

async function prepare(client: PoolClient, lane: Lane): Promise<void> {
  const [timeLimit = "", ...others] = limitsOf(lane, "session");
  await insist(client, timeLimit);
  const keepAlive = ["idle = 5", "interval = 5", "count = 3"].map((one) => `SET tcp_keepalives_${one}`);
  const isolation = `SET SESSION CHARACTERISTICS AS TRANSACTION ${ISOLATION}`;
  await client.query([isolation, ...others, ...keepAlive].join(";"));
  await acceptPrimary(client);
}

/**
 * Prepares a connection for a posting. A pooler in transaction mode shares its connections: there the limits
 * are those of a transaction, which `end` ends. Otherwise the connection has them; a posting is a statement.
 */
export async function beginPosting(
  client: PoolClient,
  lane: Lane,
): Promise<(how: "COMMIT" | "ROLLBACK") => Promise<unknown>> {
  if (!isPooled()) return async () => undefined;
  await insist(client, [`BEGIN ${ISOLATION}`, ...limitsOf(lane, "local")].join(";"), "ROLLBACK");
  return (how) => client.query(how);
}

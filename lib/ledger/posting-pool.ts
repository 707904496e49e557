import { Pool, type PoolClient } from "pg";
import { type Db, urlOf } from "@/lib/db/client";
import { sqlState } from "@/lib/db/faults";
import { oncePerProcess } from "@/lib/observe/once";
import { type PoolName, watchPool } from "@/lib/observe/pools";

/** Connections that only post: `fast` never waits for a customer, `slow` does, a second at a time. */
export type PostingPools = { fast: Pool; slow: Pool };

/** SQLSTATE of a statement that a time limit ended. */
const QUERY_CANCELED = "57014";

/** At most so many connections a lane. */
export const LANE_CONNECTIONS = 2;

const pools = oncePerProcess("posting pools", () => new WeakMap<Db, PostingPools>());

/** The posting pools of a client's database, made at first use. */
export function postingPools(db: Db): PostingPools {
  const made = pools.get(db) ?? {
    fast: makePool("posting_fast", urlOf(db), "10s"),
    slow: makePool("posting_slow", urlOf(db), "1s"),
  };
  pools.set(db, made);
  return made;
}

/** Ends the pools, if there are any. Call it before their database goes. */
export async function endPostingPools(db: Db): Promise<void> {
  const made = pools.get(db);
  pools.delete(db);
  await Promise.all([made?.fast.end(), made?.slow.end()]);
}

function makePool(name: PoolName, connectionString: string, lockTimeout: string): Pool {
  const pool = new Pool({
    connectionString,
    max: LANE_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    allowExitOnIdle: true,
    // Sets the isolation whatever the default of the role or the database, because posting is right only
    // under this one.
    onConnect: (client) => prepare(client as PoolClient, lockTimeout),
  });
  // Without listeners a dying Postgres would bring the whole process down; the next posting reports it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return watchPool(name, pool);
}

/** Lifts the time limit that the role or the database has, under which this statement runs itself: hence several tries. */
async function liftTimeLimit(client: PoolClient, tries = 10): Promise<void> {
  try {
    await client.query("SET statement_timeout = '20s'");
  } catch (error) {
    if (tries === 1 || sqlState(error) !== QUERY_CANCELED) throw error;
    await liftTimeLimit(client, tries - 1);
  }
}

async function prepare(client: PoolClient, lockTimeout: string): Promise<void> {
  await liftTimeLimit(client);
  await client.query(`SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
    SET idle_in_transaction_session_timeout = '15s'; SET transaction_timeout = 0;
    SET lock_timeout = '${lockTimeout}'; SET synchronous_commit = on;
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`);
}

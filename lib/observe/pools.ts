import type { Pool, PoolClient } from "pg";
import { scrub } from "./log";
import { oncePerProcess } from "./once";
import { inSpan, isTracing } from "./trace";

export type PoolName = "queries" | "replica" | "posting_fast" | "posting_slow" | "jobs";

const watched = oncePerProcess("watched pools", () => new Map<Pool, PoolName>());

/** Shows a pool in the metrics and, where traces are recorded, its statements in the traces. Answers the same pool. */
export function watchPool(name: PoolName, pool: Pool): Pool {
  watched.set(pool, name);
  if (isTracing()) traceStatements(name, pool);
  return pool;
}

/** The connections of the open pools by name: all, idle, and requests that wait for one. */
export function poolSizes(): { pool: PoolName; total: number; idle: number; waiting: number }[] {
  for (const pool of watched.keys()) if (pool.ended) watched.delete(pool);
  return [...watched].map(([{ totalCount, idleCount, waitingCount }, pool]) => ({
    pool,
    total: totalCount,
    idle: idleCount,
    waiting: waitingCount,
  }));
}

type Query = (...args: unknown[]) => unknown;
const MAX_STATEMENT = 2_000;

/** A span around each statement, with its text and without its values. */
function traced(pool: PoolName, run: Query): Query {
  return (...args) => {
    const [statement] = args;
    const text = typeof statement === "string" ? statement : (statement as { text?: string } | null)?.text;
    // With a callback it is a part of a traced call of the pool.
    if (typeof text !== "string" || typeof args.at(-1) === "function") return run(...args);
    const verb = /[a-z]+/i.exec(text)?.[0]?.toUpperCase() ?? "SQL";
    const attributes = {
      "db.system.name": "postgresql",
      "db.operation.name": verb,
      "db.query.text": scrub(text.slice(0, MAX_STATEMENT)),
      "db.client.connection.pool.name": pool,
    };
    return inSpan(`SQL ${verb}`, { attributes, kind: "CLIENT" }, async () => run(...args));
  };
}

function traceStatements(name: PoolName, pool: Pool): void {
  const [query, connect] = [pool.query.bind(pool) as Query, pool.connect.bind(pool) as Query];
  const clients = new WeakSet<PoolClient>();
  const connectTraced: Query = (...args) => {
    if (typeof args[0] === "function") return connect(...args);
    return (connect() as Promise<PoolClient>).then((client) => {
      if (!clients.has(client))
        Object.assign(client, { query: traced(name, client.query.bind(client) as Query) });
      clients.add(client);
      return client;
    });
  };
  Object.assign(pool, { query: traced(name, query), connect: connectTraced });
}

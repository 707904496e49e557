import { Logger, type TaskList } from "graphile-worker";
import { Pool } from "pg";
import { withoutAddresses } from "@/lib/domain/without-addresses";
import type { JobContext, TaskTable } from "./types";

const CONCURRENCY = 4;

/** Warnings and errors of the queue's own machinery, one line each. */
export const queueLogger = new Logger((scope) => (level, message) => {
  if (level !== "warning" && level !== "error") return;
  const job = scope.taskIdentifier ? ` ${scope.taskIdentifier}` : "";
  console.error(`jobs${job}: ${withoutAddresses(message.split("\n", 1)[0] ?? "")}`);
});

/** The table as graphile-worker takes it. */
export function taskList(tasks: TaskTable, context: JobContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(context, payload)]),
  );
}

/** A pool of the queue's own; whoever makes it ends it. */
export function queuePool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: CONCURRENCY + 2, connectionTimeoutMillis: 5_000 });
  // Without listeners a dying Postgres would bring the whole process down.
  const heard = (error: Error) => console.error("jobs:", error.message);
  pool.on("error", heard);
  pool.on("connect", (client) => client.on("error", heard));
  return pool;
}

/** What every way of running jobs has in common. */
export function queueOptions(pgPool: Pool) {
  return {
    pgPool,
    // Poolers in transaction mode cannot hold prepared statements.
    noPreparedStatements: true,
    noHandleSignals: true,
    concurrency: CONCURRENCY,
    logger: queueLogger,
    // With a batch, stopping waits until every outcome is written.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  };
}

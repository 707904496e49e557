import { Logger, type TaskList } from "graphile-worker";
import { Pool } from "pg";
import type { Db } from "@/lib/db/client";
import { redactEmails } from "@/lib/domain/contact";
import type { Transport } from "@/lib/email/message";

/** The context of a job. */
export type JobContext = { db: Db; transport: Transport };

/** The function of a job. It may run again after a crash, so it must be idempotent. An error means a later retry. */
export type Task = (ctx: JobContext, payload: unknown) => Promise<void>;

/** Tasks by job name. A job without a task waits in the queue until a worker has one. */
export type TaskTable = Readonly<Record<string, Task>>;

const CONCURRENCY = 4;

/** Logs warnings and errors of graphile-worker, one line each. */
const queueLogger = new Logger((scope) => (level, message) => {
  if (level !== "warning" && level !== "error") return;
  const job = scope.taskIdentifier ? ` ${scope.taskIdentifier}` : "";
  console.error(`jobs${job}: ${redactEmails(message.split("\n", 1)[0] ?? "")}`);
});

/** The tasks in graphile-worker's format. */
export function taskList(tasks: TaskTable, context: JobContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(context, payload)]),
  );
}

/** A connection pool of the queue, for jobs, LISTEN, maintenance and heartbeats. The caller ends it. */
export function queuePool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: CONCURRENCY + 3, connectionTimeoutMillis: 5_000 });
  // Without listeners a lost connection would crash the process.
  const logError = (error: Error) => console.error("jobs:", error.message);
  pool.on("error", logError);
  pool.on("connect", (client) => client.on("error", logError));
  return pool;
}

/** The options that the worker and single runs share. */
export function queueOptions(pgPool: Pool) {
  return {
    pgPool,
    // Poolers in transaction mode cannot hold prepared statements.
    noPreparedStatements: true,
    noHandleSignals: true,
    concurrency: CONCURRENCY,
    logger: queueLogger,
    // Completed in batches, so that stopping waits until every result is written.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  };
}

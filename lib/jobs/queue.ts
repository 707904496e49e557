import { Logger, type TaskList } from "graphile-worker";
import { Pool } from "pg";
import type { Db } from "@/lib/db/client";
import { acceptPrimary } from "@/lib/db/faults";
import type { Transport } from "@/lib/email/message";
import { log } from "@/lib/observe/log";
import { observeJob } from "@/lib/observe/metrics";
import { watchPool } from "@/lib/observe/pools";
import { inSpan } from "@/lib/observe/trace";

export type JobContext = { db: Db; transport: Transport };

/** The function of a job. It may run again after a crash, so it must be idempotent. An error means a later retry. */
export type Task = (ctx: JobContext, payload: unknown) => Promise<void>;

/** Tasks by job name. A job without a task waits in the queue until a worker has one. */
export type TaskTable = Readonly<Record<string, Task>>;

const CONCURRENCY = 4;

const queueLogger = new Logger((scope) => (level, message) => {
  if (level !== "warning" && level !== "error") return;
  // One statement fetches the jobs of many workers, so they need no connection each.
  if (message.includes("maxPoolSize")) return;
  const { taskIdentifier: task, jobId } = scope;
  log(level === "error" ? "error" : "warn", "jobs", { task, jobId, message: message.split("\n", 1)[0] });
});

function causeOf(payload: unknown): string | undefined {
  const { traceparent } = (payload ?? {}) as { traceparent?: unknown };
  return typeof traceparent === "string" ? traceparent : undefined;
}

/** The tasks in graphile-worker's format. Each run is counted, and continues the trace that queued it. */
export function taskList(tasks: TaskTable, context: JobContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload: unknown) =>
        observeJob(name, () =>
          inSpan(`job ${name}`, { from: causeOf(payload) ?? null, kind: "CONSUMER" }, () =>
            task(context, payload),
          ),
        ),
    ]),
  );
}

/** A connection pool of the queue, for jobs, LISTEN, maintenance and heartbeats. The caller ends it. */
export function queuePool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: CONCURRENCY + 4,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // The statements of the queue are short: one that takes longer waits on a connection that was lost.
    query_timeout: 30_000,
    onConnect: acceptPrimary,
  });
  // Without listeners a lost connection would crash the process.
  const logError = (error: Error) => log("error", "a connection of the job queue was lost", { error });
  pool.on("error", logError);
  pool.on("connect", (client) => client.on("error", logError));
  return watchPool("jobs", pool);
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

import { Logger, type TaskList } from "graphile-worker";
import { Pool } from "pg";
import type { Db } from "@/lib/db/client";
import { redactEmails } from "@/lib/domain/contact";
import type { Transport } from "@/lib/email/message";

/** What a job's work gets. */
export type JobContext = { db: Db; transport: Transport };

/** One kind of work. It may be run again after a crash, so it must be safe to repeat; throwing means "try again later". */
export type Task = (ctx: JobContext, payload: unknown) => Promise<void>;

/** Jobs by name. A job whose name is not in the table waits in the queue until a worker knows it. */
export type TaskTable = Readonly<Record<string, Task>>;

const CONCURRENCY = 4;

/** Warnings and errors of the queue's own machinery, one line each. */
const queueLogger = new Logger((scope) => (level, message) => {
  if (level !== "warning" && level !== "error") return;
  const job = scope.taskIdentifier ? ` ${scope.taskIdentifier}` : "";
  console.error(`jobs${job}: ${redactEmails(message.split("\n", 1)[0] ?? "")}`);
});

/** The table as graphile-worker takes it. */
export function taskList(tasks: TaskTable, context: JobContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(context, payload)]),
  );
}

/** A pool of the queue's own (jobs, LISTEN, the queue's upkeep, the process's presence); whoever makes it ends it. */
export function queuePool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: CONCURRENCY + 3, connectionTimeoutMillis: 5_000 });
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

import { runOnce } from "graphile-worker";
import { env } from "@/lib/env";
import {
  type JobContext,
  jobContext,
  knownTasks,
  queueOptions,
  queuePool,
  type TaskTable,
  taskList,
} from "./queue";

/** Does the queue's due work and answers when none is left: for machines without a worker. */
export async function runDue(
  context: JobContext = jobContext(),
  tasks: TaskTable = knownTasks(),
  connectionString: string = env().DATABASE_URL,
): Promise<void> {
  const pool = queuePool(connectionString);
  try {
    await runOnce({ ...queueOptions(pool), taskList: taskList(tasks, context) });
  } finally {
    await pool.end();
  }
}

/** What the worker's clock does, then the due work: the cron route's whole turn. */
export async function runCron(
  context: JobContext = jobContext(),
  tasks: TaskTable = knownTasks(),
  connectionString: string = env().DATABASE_URL,
): Promise<void> {
  for (const name of ["sweep", "daily_sums"]) await tasks[name]?.(context, {});
  await runDue(context, tasks, connectionString);
}

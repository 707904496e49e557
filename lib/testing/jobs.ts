import { runOnce } from "graphile-worker";
import { type Db, urlOf } from "@/lib/db/client";
import { queueOptions, queuePool, type TaskTable, taskList } from "@/lib/jobs/queue";

/** Runs the queued jobs of these tasks, as a worker does. What they mail stays in the outbox. */
export async function runJobs(db: Db, tasks: TaskTable): Promise<void> {
  const pool = queuePool(urlOf(db));
  try {
    await runOnce({
      ...queueOptions(pool),
      taskList: taskList(tasks, { db, transport: undefined as never }),
    });
  } finally {
    await pool.end();
  }
}

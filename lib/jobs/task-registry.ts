import { getDb } from "@/lib/db/client";
import { mailTransport } from "@/lib/email/transports";
import { oncePerProcess } from "@/lib/observe/once";
import { dailySumsTask, repairSumsTask, sealAndCount } from "./daily-sums";
import type { JobContext, Task, TaskTable } from "./queue";
import { sweep } from "./sweep";

const CUSTOMERS_PER_RUN = 500;

/**
 * Removes expired bonus points, a few hundred customers per transaction. Idempotent. Skips locked customers, whose bonus
 * expires in the next run or at their next movement.
 */
const expireBonus: Task = async ({ db }) => {
  for (;;) {
    const [row] = await db.$queryRaw<
      { expired: number }[]
    >`select expire_bonus(${CUSTOMERS_PER_RUN}::int) as expired`;
    if (!row?.expired) return;
  }
};

/** The tasks that every process has. lib/tasks registers those of the operations when the server starts. */
export const CORE_TASKS = {
  sweep,
  seal: sealAndCount,
  daily_sums: dailySumsTask,
  mend_sums: repairSumsTask,
  expire_bonus: expireBonus,
  // The previous version queued a job per e-mail. These jobs do nothing, since the mail lanes deliver.
  send_email: async () => {},
} satisfies TaskTable;

const registered = oncePerProcess("tasks", (): { tasks?: TaskTable } => ({}));

/** Registers the tasks of this process. Call it before a worker or the cron route runs. */
export function registerTasks(tasks: TaskTable): void {
  registered.tasks = tasks;
}

/** The registered tasks, or CORE_TASKS before any are registered. */
export function registeredTasks(): TaskTable {
  return registered.tasks ?? CORE_TASKS;
}

/** The database and mail transport of this process. */
export function jobContext(): JobContext {
  return { db: getDb(), transport: mailTransport() };
}

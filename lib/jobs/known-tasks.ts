import { getDb } from "@/lib/db/client";
import { mailTransport } from "@/lib/email/transports";
import { dailySums, mendDays, sealAndCount } from "./daily-sums";
import { expireBonus } from "./expire-bonus";
import type { JobContext, TaskTable } from "./queue";
import { sweep } from "./sweep";

/** The work that every process knows. Work of the operations is added by lib/tasks when the server starts. */
export const CORE_TASKS = {
  sweep,
  seal: sealAndCount,
  daily_sums: dailySums,
  mend_sums: mendDays,
  expire_bonus: expireBonus,
  // The version before queued a job for each e-mail; they end here, since the lanes deliver.
  send_email: async () => {},
} satisfies TaskTable;

// Kept globally: the server's start and its routes are bundled apart.
const store = globalThis as typeof globalThis & { walletTasks?: TaskTable };

/** Says which work this process can do, before a worker or a cron route does it. */
export function registerTasks(tasks: TaskTable): void {
  store.walletTasks = tasks;
}

export function knownTasks(): TaskTable {
  return store.walletTasks ?? CORE_TASKS;
}

/** The process's own database and mail provider. */
export function jobContext(): JobContext {
  return { db: getDb(), transport: mailTransport() };
}

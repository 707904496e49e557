import { CORE_TASKS } from "@/lib/jobs/registry";
import type { TaskTable } from "@/lib/jobs/types";

/**
 * All background work of the product, by job name: the operations' own is added here. Read by the server's start and
 * the cron route only.
 */
export const TASKS: TaskTable = { ...CORE_TASKS };

import type { Context } from "@/lib/db/context";
import type { Worker } from "@/lib/domain/worker";
import { updateWorker } from "./update-worker";

/** Disables a worker: their sessions end at once, their movements stay. Throws worker_not_found. */
export async function disableWorker(ctx: Context, input: { id: string }): Promise<Worker> {
  return updateWorker(ctx, { id: input.id, active: false });
}
disableWorker.permission = "workers.manage" as const;

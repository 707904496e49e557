import { auditExport } from "@/lib/audit/exports";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { type Worker, type WorkersQuery, workersFilterSchema } from "@/lib/domain/worker";
import { listWorkers } from "./read-workers";

const ROWS_A_PART = 100;
type WorkersFilter = Omit<WorkersQuery, "limit" | "cursor">;

/** The filtered workers, in parts that are read as they are asked for. */
async function* eachWorker(ctx: Context, filter: WorkersFilter): AsyncGenerator<Worker[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await listWorkers(ctx, { ...filter, cursor, limit: ROWS_A_PART });
    if (page.results.length > 0) yield page.results;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The workers of the filter within the caller's reach, for a file. The export is audited before it begins. */
export async function exportWorkers(ctx: Context, filter: WorkersFilter): Promise<AsyncGenerator<Worker[]>> {
  const reach = authorize(ctx.actor, "workers.manage");
  const merchantId = reach.scope === "any" ? (filter.merchantId ?? null) : reach.merchantId;
  await auditExport(ctx.db, ctx, "export.workers", merchantId, filter);
  return eachWorker(ctx, filter);
}
exportWorkers.stepUp = true as const;
exportWorkers.permission = "workers.manage" as const;
exportWorkers.input = workersFilterSchema;

import { auditExport } from "@/lib/audit/exports";
import type { Context } from "@/lib/db/context";
import { operation } from "@/lib/operations/operation";
import { type Worker, type WorkersQuery, workersFilterSchema } from "./model";
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
export const exportWorkers = operation({
  permission: "workers.manage",
  input: workersFilterSchema,
  readOnly: true,
  stepUp: true,
  run: async (ctx, filter): Promise<AsyncGenerator<Worker[]>> => {
    const reach = ctx.reach;
    const merchantId = reach.scope === "any" ? (filter.merchantId ?? null) : reach.merchantId;
    await auditExport(ctx.db, ctx, "export.workers", merchantId, filter);
    return eachWorker(ctx, filter);
  },
});

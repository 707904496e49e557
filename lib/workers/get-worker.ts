import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { Worker } from "@/lib/domain/worker";
import { doneToday, workerFrom, workerSelect } from "./worker-row";

/** One worker within reach, with what they did today. Throws worker_not_found. */
export async function getWorker(ctx: Context, input: { id: string }): Promise<Worker> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const row = await ctx.db.user.findFirst({
    where: { id: input.id, role: "branch_worker", ...scope },
    select: workerSelect,
  });
  if (!row) throw new DomainError("worker_not_found");
  const today = await doneToday(ctx.db, [row.id], ctx.clock());
  return workerFrom(row, today.get(row.id));
}
getWorker.permission = "workers.manage" as const;

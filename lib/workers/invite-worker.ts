import { audit } from "@/lib/db/audit";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { invite } from "./invitation";

const PER_WORKER: GuardLimit = { name: "worker-invite", points: 5, seconds: 60 * 60 };

/**
 * Mails an invited worker a new link; the old one stops working. At most 5 an hour.
 * Throws worker_not_found, conflict when the worker has joined or was disabled, rate_limited.
 */
export async function inviteWorker(ctx: Context, input: { id: string }): Promise<{ sent: true }> {
  const scope = merchantWhere(authorize(ctx.actor, "workers.manage"));
  const where = { id: input.id, role: "branch_worker", ...scope } as const;
  const worker = await ctx.db.user.findFirst({ where, select: { merchantId: true } });
  if (!worker) throw new DomainError("worker_not_found");
  await consume(ctx.db, PER_WORKER, input.id);
  await ctx.db.$transaction(async (tx) => {
    // The status in the where: whoever sets their password meanwhile is not locked out by a new link.
    const { count } = await tx.user.updateMany({
      where: { ...where, status: "invited" },
      data: { status: "invited" },
    });
    if (count === 0) throw new DomainError("conflict");
    await invite(tx, ctx, input.id);
    const { merchantId } = worker;
    await audit(tx, ctx, { merchantId, action: "worker.invited", entity: "user", entityId: input.id });
  });
  return { sent: true };
}
inviteWorker.permission = "workers.manage" as const;

import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { type ConfigInForce, type PendingChangeId, pendingChangeSchema } from "@/lib/domain/points-config";
import { auditConfig } from "./config-versions";
import { ACTIVE_ADMIN } from "./pending-changes";
import { viewConfig } from "./read-config";

type Decided = { merchantId: string | null };

/**
 * Cancels a change that waits, of the points configuration or of an allowance, and mails the owners concerned. Answers the
 * configuration in force. Any administrator may cancel.
 * Throws pending_not_found when it does not wait any more: it took effect, was cancelled or was replaced.
 */
export async function cancelPending(ctx: Context, { id }: PendingChangeId): Promise<ConfigInForce> {
  authorize(ctx.actor, "config.edit");
  const { merchantId } = await ctx.db.$transaction(async (tx) => {
    const [cancelled] = await tx.$queryRaw<Decided[]>`
      update pending_changes set closed_at = now(), outcome = 'cancelled', mails = mails || '{cancelled}'::text[]
      where id = ${id}::uuid and closed_at is null
      returning merchant_id::text as "merchantId"`;
    if (!cancelled) throw new DomainError("pending_not_found");
    await auditConfig(tx, ctx, cancelled.merchantId, "config.cancelled");
    return cancelled;
  });
  return viewConfig(ctx, { merchantId: merchantId ?? undefined });
}
cancelPending.permission = "config.edit" as const;
cancelPending.stepUp = true as const;
cancelPending.input = pendingChangeSchema;
cancelPending.errors = ["pending_not_found"] as const;

async function refusal(tx: Tx, ctx: Context, id: string): Promise<DomainError> {
  const open = await tx.pendingChange.findFirst({ where: { id, closedAt: null } });
  if (!open) return new DomainError("pending_not_found");
  if (open.askedById === ctx.actor.userId) return new DomainError("own_request");
  // Else whoever asked may not change the configuration any more, so the change will not take effect.
  return new DomainError(open.needsApproval && open.approvedById === null ? "conflict" : "no_change");
}

/**
 * Approves a change that needs a second administrator. It takes effect at its time. Answers what is in force.
 * Throws pending_not_found when it does not wait any more, own_request for whoever asked for it, no_change when it needs
 * no approval or has one, conflict when the account of whoever asked is not an active administrator's any more.
 */
export async function approvePending(ctx: Context, { id }: PendingChangeId): Promise<ConfigInForce> {
  authorize(ctx.actor, "config.edit");
  const { merchantId } = await ctx.db.$transaction(async (tx) => {
    const [approved] = await tx.$queryRaw<Decided[]>`
      update pending_changes p set approved_by_id = ${ctx.actor.userId}::uuid, approved_at = now()
      from users u
      where p.id = ${id}::uuid and p.closed_at is null and p.needs_approval and p.approved_by_id is null
        and p.asked_by_id <> ${ctx.actor.userId}::uuid and u.id = p.asked_by_id and ${ACTIVE_ADMIN}
      returning p.merchant_id::text as "merchantId"`;
    if (!approved) throw await refusal(tx, ctx, id);
    await auditConfig(tx, ctx, approved.merchantId, "config.approved");
    return approved;
  });
  return viewConfig(ctx, { merchantId: merchantId ?? undefined });
}
approvePending.permission = "config.edit" as const;
approvePending.stepUp = true as const;
approvePending.input = pendingChangeSchema;
approvePending.errors = ["pending_not_found", "own_request", "no_change", "conflict"] as const;

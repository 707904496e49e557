import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { operation } from "@/lib/operations/operation";
import { auditConfig } from "./config-versions";
import { type ConfigInForce, pendingChangeSchema } from "./model";
import { ACTIVE_ADMIN, APPROVER_HOURS } from "./pending-changes";
import { viewConfig } from "./read-config";

type Decided = { merchantId: string | null };

/**
 * Cancels a pending change of the points configuration or of a redemption limit, and mails the owners
 * concerned. Answers the configuration in force. Any administrator may cancel. Throws pending_not_found when
 * the change is not pending any more: it took effect, was cancelled or was replaced.
 */
export const cancelPending = operation({
  permission: "config.edit",
  input: pendingChangeSchema,
  errors: ["pending_not_found"],
  stepUp: true,
  run: async (ctx, { id }): Promise<ConfigInForce> => {
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
  },
});

async function refusal(tx: Tx, ctx: Context, id: string): Promise<DomainError> {
  const open = await tx.pendingChange.findFirst({ where: { id, closedAt: null } });
  if (!open) return new DomainError("pending_not_found");
  if (open.askedById === ctx.actor.userId) return new DomainError("own_request");
  if (!open.needsApproval || open.approvedById !== null) return new DomainError("no_change");
  const asker = await tx.user.findFirst({
    where: { id: open.askedById, status: "active", role: { in: ["super_admin", "admin"] } },
    select: { id: true },
  });
  // If the asker may not change the configuration any more, the change will not take effect.
  return new DomainError(asker ? "approver_too_new" : "conflict");
}

/**
 * Approves a change that needs a second administrator. The change takes effect at its time. Answers the
 * configuration in force. Throws pending_not_found when the change is not pending any more, own_request for
 * the asker, no_change when it needs no approval or already has one, and conflict when the asker is not an
 * active administrator any more. Throws approver_too_new for an account that is younger than 72 hours or was
 * not active before the request, because the asker could have made it for this purpose.
 */
export const approvePending = operation({
  permission: "config.edit",
  input: pendingChangeSchema,
  errors: ["pending_not_found", "own_request", "no_change", "conflict", "approver_too_new"],
  stepUp: true,
  run: async (ctx, { id }): Promise<ConfigInForce> => {
    const { merchantId } = await ctx.db.$transaction(async (tx) => {
      const [approved] = await tx.$queryRaw<Decided[]>`
      update pending_changes p set approved_by_id = ${ctx.actor.userId}::uuid, approved_at = now()
      from users u
      where p.id = ${id}::uuid and p.closed_at is null and p.needs_approval and p.approved_by_id is null
        and p.asked_by_id <> ${ctx.actor.userId}::uuid and u.id = p.asked_by_id and ${ACTIVE_ADMIN}
        and exists (select from users a where a.id = ${ctx.actor.userId}::uuid and a.active_since < p.asked_at
          and a.created_at <= now() - ${APPROVER_HOURS}::int * interval '1 hour')
      returning p.merchant_id::text as "merchantId"`;
      if (!approved) throw await refusal(tx, ctx, id);
      await auditConfig(tx, ctx, approved.merchantId, "config.approved");
      return approved;
    });
    return viewConfig(ctx, { merchantId: merchantId ?? undefined });
  },
});

import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { Receipt } from "@/lib/domain/points";
import type { Reverse } from "@/lib/domain/schemas/money";
import { postRequest } from "./request";

/**
 * Posts the opposite of a movement. A worker undoes an own one within the undo window while it is the customer's
 * latest; an owner reverses any of the merchant's and a super_admin any, both with a reason. Asked again it answers
 * the reversal that stands. Throws movement_not_found, reason_required, undo_expired, not_latest, not_reversible,
 * already_spent, balance_limit, merchant_unavailable, customer_blocked / _frozen / _erased, key_reused.
 */
export async function reverse(ctx: Context, input: Reverse): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.reverse");
  const reason = input.reason || undefined;
  if (reach.scope !== "own" && !reason) {
    throw new DomainError("reason_required", {}, [{ path: "reason", message: "validation.reason.required" }]);
  }
  const request = { type: "REVERSAL" as const, reverses: input.movementId, reason };
  return await postRequest(ctx, reach, request, input.idempotencyKey);
}
reverse.permission = "money.reverse" as const;

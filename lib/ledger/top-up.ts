import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { Receipt } from "@/lib/domain/points";
import type { TopUp } from "@/lib/domain/schemas/money";
import { postRequest } from "./request";

/**
 * Adds points to a customer's balance at a branch of its merchant. The same idempotency key answers the same receipt.
 * Throws customer_not_found, branch_mismatch, merchant_unavailable, customer_blocked / _frozen / _erased, own_card,
 * below_minimum, above_maximum, balance_limit, daily_cap, key_reused.
 */
export async function topUp(ctx: Context, input: TopUp): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.topUp");
  const { customerId, branchId, merchantId, points } = input;
  const request = { customer: customerId, branch: branchId, namedMerchant: merchantId, points };
  return await postRequest(ctx, reach, { ...request, type: "TOP_UP" }, input.idempotencyKey);
}
topUp.permission = "money.topUp" as const;

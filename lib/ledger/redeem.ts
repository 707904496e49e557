import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { Receipt } from "@/lib/domain/points";
import type { Redeem } from "@/lib/domain/schemas/money";
import { judgeProof } from "./proof";
import { postRequest } from "./request";

/**
 * Takes points off a customer's balance at a branch of its merchant. Past the merchant's daily allowance a proof is
 * needed: the card's live code or a mailed code, each good once. The same idempotency key answers the same receipt.
 * Throws customer_not_found, branch_mismatch, merchant_unavailable, customer_blocked / _frozen / _erased, own_card,
 * insufficient_balance, proof_required, proof_invalid, key_reused.
 */
export async function redeem(ctx: Context, input: Redeem): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.redeem");
  const { customerId, branchId, merchantId, points } = input;
  const proof = await judgeProof(ctx, reach, customerId, input.proof);
  const request = { customer: customerId, branch: branchId, namedMerchant: merchantId, points, ...proof };
  return await postRequest(ctx, reach, { ...request, type: "REDEEM" }, input.idempotencyKey);
}
redeem.permission = "money.redeem" as const;

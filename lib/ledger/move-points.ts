import { createHash, randomUUID } from "node:crypto";
import { type Context, givenTime } from "@/lib/db/context";
import { authorize, type Reach, type StaffActor } from "@/lib/domain/actor";
import { DomainError, type ErrorCode, type ErrorParams } from "@/lib/domain/errors";
import {
  type Receipt,
  type Redeem,
  type Reverse,
  redeemSchema,
  reverseSchema,
  type TopUp,
  topUpSchema,
} from "@/lib/domain/movements";
import type { Outcome, PostingActor, PostingRow } from "./batch";
import { post } from "./post";
import { judgeProof } from "./proof";

/**
 * Adds points to a customer's balance at a branch of its merchant. The same idempotency key answers the same receipt.
 * Throws customer_not_found, branch_mismatch, merchant_unavailable, customer_blocked / _frozen / _erased, own_card,
 * below_minimum, above_maximum, balance_limit, daily_cap, key_reused.
 */
export async function topUp(ctx: Context<StaffActor>, input: TopUp): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.topUp");
  const { customerId, branchId, merchantId, points } = input;
  const request = { customer: customerId, branch: branchId, namedMerchant: merchantId, points };
  return await postRequest(ctx, reach, { ...request, type: "TOP_UP" }, input.idempotencyKey);
}
topUp.permission = "money.topUp" as const;
topUp.input = topUpSchema;
topUp.errors = [
  "customer_not_found",
  "branch_mismatch",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
  "below_minimum",
  "above_maximum",
  "balance_limit",
  "daily_cap",
  "key_reused",
  "unavailable",
] as const;

/**
 * Takes points off a customer's balance at a branch of its merchant. Past the merchant's daily allowance a proof is
 * needed: the card's live code or a mailed code, each good once. The same idempotency key answers the same receipt.
 * Throws customer_not_found, branch_mismatch, merchant_unavailable, customer_blocked / _frozen / _erased, own_card,
 * insufficient_balance, proof_required, proof_invalid, key_reused.
 */
export async function redeem(ctx: Context<StaffActor>, input: Redeem): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.redeem");
  const { customerId, branchId, merchantId, points } = input;
  const proof = await judgeProof(ctx, reach, customerId, input.proof);
  const request = { customer: customerId, branch: branchId, namedMerchant: merchantId, points, ...proof };
  return await postRequest(ctx, reach, { ...request, type: "REDEEM" }, input.idempotencyKey);
}
redeem.permission = "money.redeem" as const;
redeem.input = redeemSchema;
redeem.errors = [
  "customer_not_found",
  "branch_mismatch",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
  "insufficient_balance",
  "proof_required",
  "proof_invalid",
  "key_reused",
  "unavailable",
] as const;

/**
 * Posts the opposite of a movement. A worker undoes an own one within the undo window while it is the customer's
 * latest; an owner reverses any of the merchant's and a super_admin any, both with a reason. Asked again it answers
 * the reversal that stands. Throws movement_not_found, reason_required, undo_expired, not_latest, not_reversible,
 * already_spent, balance_limit, merchant_unavailable, customer_blocked / _frozen / _erased, key_reused.
 */
export async function reverse(ctx: Context<StaffActor>, input: Reverse): Promise<Receipt> {
  const reach = authorize(ctx.actor, "money.reverse");
  const reason = input.reason || undefined;
  if (reach.scope !== "own" && !reason) {
    throw new DomainError("reason_required", {}, [{ path: "reason", message: "validation.reason.required" }]);
  }
  const request = { type: "REVERSAL" as const, reverses: input.movementId, reason };
  return await postRequest(ctx, reach, request, input.idempotencyKey);
}
reverse.permission = "money.reverse" as const;
reverse.input = reverseSchema;
reverse.errors = [
  "movement_not_found",
  "reason_required",
  "undo_expired",
  "not_latest",
  "not_reversible",
  "already_spent",
  "balance_limit",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "key_reused",
  "unavailable",
] as const;

/** What of a posting an operation decides; who asks, how far it reaches and its key are filled in here. */
type Request = Pick<
  PostingRow,
  "type" | "customer" | "branch" | "namedMerchant" | "points" | "reverses" | "reason" | "proof" | "proofRef"
>;

/** sha256 over the request's own fields: the proof is left out, since a repeat may carry a newer one. */
function requestHash(request: Request): string {
  const { type, customer, branch, namedMerchant, points, reverses, reason } = request;
  const ids = [customer, branch, namedMerchant, reverses].map((id) => id?.toLowerCase() ?? null);
  return createHash("sha256")
    .update(JSON.stringify([type, ...ids, points ?? null, reason ?? null]))
    .digest("hex");
}

const postingActor = (actor: StaffActor): PostingActor =>
  actor.type === "user" ? { actor: actor.userId } : { actorType: "api_key", apiKey: actor.keyId };

/** Posts a request of the context's actor within its reach. Throws the refusal as a DomainError. */
async function postRequest(
  ctx: Context<StaffActor>,
  reach: Reach,
  request: Request,
  idempotencyKey: string | undefined,
): Promise<Receipt> {
  const outcome = await post(ctx.db, {
    ...request,
    ...postingActor(ctx.actor),
    scope: reach.scope,
    scopeMerchant: reach.scope === "any" ? null : reach.merchantId,
    // Without a key nothing can be repeated: one that nobody knows.
    key: idempotencyKey ?? randomUUID(),
    hash: requestHash(request),
    at: givenTime(ctx),
  });
  return receiptOf(outcome, request.type === "REVERSAL" ? "movement_not_found" : "customer_not_found");
}

function receiptOf(outcome: Outcome, missing: ErrorCode): Receipt {
  if ("movement" in outcome) {
    return { movement: outcome.movement, replayed: outcome.outcome === "replayed" };
  }
  const params: ErrorParams = {};
  if (outcome.limit !== null) params.limit = outcome.limit;
  if (outcome.balance !== null) params.balance = outcome.balance;
  throw new DomainError(outcome.outcome === "not_found" ? missing : outcome.outcome, params);
}

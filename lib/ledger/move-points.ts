import { createHash, randomUUID } from "node:crypto";
import { type Context, givenTime } from "@/lib/db/context";
import { authorize, type Reach, type StaffActor } from "@/lib/domain/actor";
import { DomainError, type ErrorCode, type ErrorParams } from "@/lib/domain/errors";
import {
  type GiveBonus,
  giveBonusSchema,
  type Receipt,
  type Redeem,
  type Refund,
  type Reverse,
  redeemSchema,
  refundSchema,
  reverseSchema,
  type TopUp,
  topUpSchema,
} from "@/lib/domain/movements";
import type { StaffPermission } from "@/lib/domain/policy";
import { addDays, dayStart } from "@/lib/domain/time";
import {
  type Outcome,
  type Posting,
  type PostingActor,
  type PostingRow,
  type Refusal,
  storedPosting,
} from "./batch";
import { post } from "./post";
import { judgeProof, type Proof } from "./proof";

/**
 * Adds points to a customer's balance at a branch of its merchant. The same idempotency key answers the same receipt.
 * Throws customer_not_found, branch_mismatch, merchant_unavailable, customer_blocked / _frozen / _erased, own_card,
 * below_minimum, above_maximum, balance_limit, daily_cap, key_reused, unavailable, outcome_unknown.
 */
export async function topUp(ctx: Context<StaffActor>, input: TopUp): Promise<Receipt> {
  const { customerId, branchId, merchantId, points, tender, saleRef } = input;
  const request: Request = {
    ...{ type: "TOP_UP", customer: customerId, branch: branchId, namedMerchant: merchantId },
    ...{ points, tender, saleRef },
  };
  return await postRequest(ctx, "money.topUp", request, input.idempotencyKey);
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
  "outcome_unknown",
] as const;

/**
 * Takes points off a customer's balance at a branch of its merchant: of which pocket, the receipt says. Past the
 * merchant's daily allowance a proof is needed: the card's live code or a mailed code, each good once. The same
 * idempotency key answers the same receipt. Throws customer_not_found, branch_mismatch, merchant_unavailable,
 * customer_blocked / _frozen / _erased, own_card, insufficient_balance, proof_required, proof_invalid, key_reused,
 * unavailable, outcome_unknown.
 */
export async function redeem(ctx: Context<StaffActor>, input: Redeem): Promise<Receipt> {
  const { customerId, branchId, merchantId, points, saleRef } = input;
  const request: Request = {
    ...{ type: "REDEEM", customer: customerId, branch: branchId, namedMerchant: merchantId },
    ...{ points, saleRef },
  };
  const proof = (reach: Reach) => judgeProof(ctx, reach, customerId, input.proof);
  return await postRequest(ctx, "money.redeem", request, input.idempotencyKey, proof);
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
  "outcome_unknown",
] as const;

/**
 * Gives a customer bonus points, which end after a day or never. Throws what topUp throws, and bonus_ended.
 */
export async function giveBonus(ctx: Context<StaffActor>, input: GiveBonus): Promise<Receipt> {
  const { customerId, branchId, merchantId, points, reason, endsOn } = input;
  const endsAt = endsOn ? dayStart(addDays(endsOn, 1)) : undefined;
  const request: Request = {
    ...{ type: "BONUS", customer: customerId, branch: branchId, namedMerchant: merchantId },
    ...{ points, reason, endsAt },
  };
  return await postRequest(ctx, "money.bonus", request, input.idempotencyKey);
}
giveBonus.permission = "money.bonus" as const;
giveBonus.input = giveBonusSchema;
giveBonus.errors = [
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
  "bonus_ended",
  "key_reused",
  "unavailable",
  "outcome_unknown",
] as const;

/**
 * Gives back a redemption or a part of it: paid points first, then bonus to the lots it came from. Owners and
 * super_admins, a worker within the merchant's days for it. Throws movement_not_found, not_refundable, already_reversed,
 * refund_exceeded, refund_expired, value_lowered, daily_cap, below_minimum, own_card, merchant_unavailable,
 * customer_blocked / _frozen / _erased, key_reused, forbidden, unavailable, outcome_unknown.
 */
export async function refund(ctx: Context<StaffActor>, input: Refund): Promise<Receipt> {
  const { movementId, points, reason, saleRef } = input;
  const request: Request = { type: "REFUND", refunds: movementId, points, reason, saleRef };
  return await postRequest(ctx, "money.refund", request, input.idempotencyKey);
}
refund.permission = "money.refund" as const;
refund.input = refundSchema;
refund.errors = [
  "movement_not_found",
  "not_refundable",
  "already_reversed",
  "refund_exceeded",
  "refund_expired",
  "value_lowered",
  "below_minimum",
  "daily_cap",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
  "key_reused",
  "unavailable",
  "outcome_unknown",
] as const;

/**
 * Posts the opposite of a movement, lot by lot. A worker undoes an own one within the undo window while it is the
 * customer's latest; an owner reverses any of the merchant's and a super_admin any, both with a reason. Asked again it
 * answers the reversal that stands. Throws movement_not_found, reason_required, undo_expired, not_latest,
 * not_reversible, already_spent, refunded, value_lowered, own_card, merchant_unavailable, customer_blocked / _frozen /
 * _erased, key_reused, unavailable, outcome_unknown.
 */
export async function reverse(ctx: Context<StaffActor>, input: Reverse): Promise<Receipt> {
  const request: Request = {
    type: "REVERSAL",
    reverses: input.movementId,
    reason: input.reason || undefined,
  };
  const reasoned = async (reach: Reach) => {
    if (reach.scope === "own" || request.reason) return {};
    throw new DomainError("reason_required", {}, [{ path: "reason", message: "validation.reason.required" }]);
  };
  return await postRequest(ctx, "money.reverse", request, input.idempotencyKey, reasoned);
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
  "refunded",
  "value_lowered",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
  "key_reused",
  "unavailable",
  "outcome_unknown",
] as const;

/** What of a posting an operation decides; who asks, how far it reaches and its key are filled in here. */
export type Request = Omit<
  PostingRow,
  "scope" | "scopeMerchant" | "key" | "hash" | "proof" | "proofRef" | "at" | "occurred"
>;

/**
 * sha256 over the request's own fields: the proof is left out, since a repeat may carry a newer one. Fields that came
 * with a later release count only where they are set, so that a repeat across a release is still the same request.
 */
export function requestHash(request: Request): string {
  const { type, customer, branch, namedMerchant, points, reverses, reason } = request;
  const ids = [customer, branch, namedMerchant, reverses].map((id) => id?.toLowerCase() ?? null);
  const { refunds, tender, saleRef, endsAt } = request;
  const later = {
    refunds: refunds?.toLowerCase(),
    // Cash is what a request without a tender means.
    tender: tender === "cash" ? undefined : tender,
    saleRef,
    endsAt,
  };
  const set = Object.values(later).some((value) => value !== undefined) ? [later] : [];
  return createHash("sha256")
    .update(JSON.stringify([type, ...ids, points ?? null, reason ?? null, ...set]))
    .digest("hex");
}

const postingActor = (actor: StaffActor): PostingActor =>
  actor.type === "user" ? { actor: actor.userId } : { actorType: "api_key", apiKey: actor.keyId };

/**
 * Posts a request of the context's actor within the permission's reach; `proofOf` judges what else it carries. A repeat
 * with its key is answered with its first result, whatever was refused to the actor since. Throws the refusal as a
 * DomainError.
 */
export async function postRequest(
  ctx: Context<StaffActor>,
  permission: StaffPermission,
  request: Request,
  idempotencyKey: string | undefined,
  proofOf: (reach: Reach) => Promise<Proof> = async () => ({}),
): Promise<Receipt> {
  const asked = {
    ...request,
    ...postingActor(ctx.actor),
    // Without a key nothing can be repeated: one that nobody knows.
    key: idempotencyKey ?? randomUUID(),
    hash: requestHash(request),
    at: givenTime(ctx),
  };
  let reach: Reach;
  let proof: Proof;
  try {
    reach = authorize(ctx.actor, permission);
    proof = await proofOf(reach);
  } catch (refused) {
    const stored = idempotencyKey ? await storedReceipt(ctx, request, idempotencyKey) : null;
    if (stored) return stored;
    throw refused;
  }
  const scopeMerchant = reach.scope === "any" ? null : reach.merchantId;
  const row: Posting = { ...asked, ...proof, scope: reach.scope, scopeMerchant };
  return receiptOf(await post(ctx.db, row, { keyed: idempotencyKey !== undefined }), request.type);
}

/** The first result of the actor's request with this key, or null. It asks nobody's status, so it serves a repeat. */
export async function storedReceipt(
  ctx: Pick<Context<StaffActor>, "db" | "actor">,
  request: Request,
  key: string,
): Promise<Receipt | null> {
  if (ctx.actor.type !== "user") return null;
  const asked = {
    ...request,
    ...postingActor(ctx.actor),
    scope: "own" as const,
    key,
    hash: requestHash(request),
  };
  const outcome = await storedPosting(ctx.db, asked);
  return outcome && "movement" in outcome ? receiptOf(outcome, request.type) : null;
}

function receiptOf(outcome: Outcome, type: Request["type"]): Receipt {
  if ("movement" in outcome) {
    return { movement: outcome.movement, replayed: outcome.outcome === "replayed" };
  }
  const params: ErrorParams = {};
  if (outcome.limit !== null) params.limit = outcome.limit;
  if (outcome.balance !== null) params.balance = outcome.balance;
  throw new DomainError(codeOf(outcome.outcome, type), params);
}

function codeOf(refusal: Refusal, type: Request["type"]): ErrorCode {
  if (refusal === "busy") return "unavailable";
  if (refusal === "refund_forbidden") return "forbidden";
  if (refusal !== "not_found") return refusal;
  return type === "REVERSAL" || type === "REFUND" ? "movement_not_found" : "customer_not_found";
}

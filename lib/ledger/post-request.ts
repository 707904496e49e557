import { createHash, randomUUID } from "node:crypto";
import { type Context, givenTime } from "@/lib/db/context";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, type Reach, type StaffActor } from "@/lib/domain/actor";
import { DomainError, type ErrorCode, type ErrorParams } from "@/lib/domain/errors";
import type { Receipt } from "@/lib/domain/movements";
import type { StaffPermission } from "@/lib/domain/policy";
import {
  type Outcome,
  type Posting,
  type PostingActor,
  type PostingRow,
  type Refusal,
  storedPosting,
} from "./batch";
import { post } from "./post";
import type { Proof } from "./proof";

/** The part of a posting that an operation decides; the actor, the reach and the key are added here. */
export type Request = Omit<
  PostingRow,
  "scope" | "scopeMerchant" | "key" | "hash" | "proof" | "proofRef" | "at" | "occurred" | "till" | "late"
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
    till: ctx.till?.id,
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
  const outcome = await post(ctx.db, row, { keyed: idempotencyKey !== undefined });
  const stored =
    idempotencyKey && !("movement" in outcome) && outcome.outcome === "key_reused"
      ? await storedUnderOtherId(ctx, request, idempotencyKey)
      : null;
  return stored ?? receiptOf(outcome, request.type);
}

/** An operation's `stored`: the first result of its request with the input's key. */
export function storedResult<Input extends { idempotencyKey?: string }>(
  requestOf: (input: Input) => Request,
) {
  return async (ctx: Pick<Context<StaffActor>, "db" | "actor">, input: Input): Promise<Receipt | null> =>
    input.idempotencyKey ? await storedReceipt(ctx, requestOf(input), input.idempotencyKey) : null;
}

/**
 * The first result of the actor's request with this key, or null. It does not check anyone's status, so it works for
 * repeats.
 */
async function storedReceipt(
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
  if (outcome === null) return null;
  return "movement" in outcome
    ? receiptOf(outcome, request.type)
    : await storedUnderOtherId(ctx, request, key);
}

/** The first result of the same request that named the customer by the other of the two ids, or null. */
async function storedUnderOtherId(
  ctx: Pick<Context<StaffActor>, "db" | "actor">,
  request: Request,
  key: string,
): Promise<Receipt | null> {
  if (request.customer === undefined || ctx.actor.type !== "user") return null;
  const customer = await ctx.db.customer.findFirst({
    where: customerOfEitherId(request.customer),
    select: { id: true, publicId: true },
  });
  if (!customer) return null;
  const named = request.customer.toLowerCase() === customer.id;
  const same = { ...request, customer: named ? customer.publicId : customer.id };
  const asked = { ...same, ...postingActor(ctx.actor), scope: "own" as const, key, hash: requestHash(same) };
  const outcome = await storedPosting(ctx.db, asked);
  return outcome && "movement" in outcome ? receiptOf(outcome, request.type) : null;
}

/** The receipt of an outcome. Throws the refusal as a DomainError. */
export function receiptOf(outcome: Outcome, type: Request["type"]): Receipt {
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

import { createHash, randomUUID } from "node:crypto";
import { type Context, givenTime } from "@/lib/db/context";
import type { Reach } from "@/lib/domain/actor";
import { DomainError, type ErrorCode, type ErrorParams } from "@/lib/domain/errors";
import type { Receipt } from "@/lib/domain/points";
import type { Outcome, Posting } from "./batch";
import { post } from "./post";

/** What of a posting an operation decides; who asks, how far it reaches and its key are filled in here. */
export type Request = Pick<
  Posting,
  "type" | "customer" | "branch" | "namedMerchant" | "points" | "reverses" | "reason" | "proof" | "proofRef"
>;

/** sha256 over the request's own fields: the proof is left out, since a repeat may carry a newer one. */
export function requestHash(request: Request): string {
  const { type, customer, branch, namedMerchant, points, reverses, reason } = request;
  const ids = [customer, branch, namedMerchant, reverses].map((id) => id?.toLowerCase() ?? null);
  return createHash("sha256")
    .update(JSON.stringify([type, ...ids, points ?? null, reason ?? null]))
    .digest("hex");
}

/** Posts a request of the context's actor within its reach. Throws the refusal as a DomainError. */
export async function postRequest(
  ctx: Context,
  reach: Reach,
  request: Request,
  idempotencyKey: string | undefined,
): Promise<Receipt> {
  const outcome = await post(ctx.db, {
    ...request,
    actor: ctx.actor.userId,
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

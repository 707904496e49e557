import { hash, randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import { type Context, givenTime, type ReachContext } from "@/lib/db/context";
import { ofEitherId } from "@/lib/db/query";
import type { Actor, Reach, StaffActor } from "@/lib/domain/actor";
import { betweenMessage, DomainError, type ErrorCode, type ErrorParams } from "@/lib/domain/errors";
import { HOLD_SECONDS } from "@/lib/holds/model";
import {
  holdShownTo,
  type Outcome,
  type Posting,
  type PostingActor,
  type PostingRequest,
  type PostingRow,
  type Refusal,
  shownTo,
  storedPosting,
} from "./batch";
import type { Receipt } from "./model/movements";
import { post } from "./post";
import type { Judged } from "./proof";

/**
 * The first 12 bytes of the SHA-256 of the request's own fields, in 16 letters as request_digest answers it. The proof is
 * left out, since a repeat may carry a newer one. Fields that came with a later release count only where they are set, so
 * that a repeat across a release is still the same request.
 */
export function requestHash(request: PostingRequest): string {
  const { type, customer, branch, namedMerchant, points, reverses, reason } = request;
  const ids = [customer, branch, namedMerchant, reverses].map((id) => id?.toLowerCase() ?? null);
  const { refunds, tender, saleRef, endsAt, holdCall, hold, upTo, seconds, final } = request;
  const later = {
    refunds: refunds?.toLowerCase(),
    // Cash is what a request without a tender means.
    tender: tender === "cash" ? undefined : tender,
    saleRef,
    endsAt,
    holdCall,
    hold,
    upTo,
    seconds,
    final,
  };
  const set = Object.values(later).some((value) => value !== undefined) ? [later] : [];
  const text = JSON.stringify([type, ...ids, points ?? null, reason ?? null, ...set]);
  return hash("sha256", text, "base64").slice(0, 16);
}

const postingActor = (actor: StaffActor): PostingActor =>
  actor.type === "user" ? { actor: actor.userId } : { actorType: "api_key", apiKey: actor.keyId };

export type PostingContext = ReachContext<StaffActor>;

/** The other parts of a request. `judge` answers the confirmation, or refuses. */
type Judgement = {
  judge: () => Promise<Judged>;
  /** Whether judging has a cost (a guess of a mailed code), which a used key must not have. */
  costs?: boolean;
};

/** Posts a request. A used key answers its first result or key_reused, before anything else is judged. */
export async function postOutcome(
  ctx: PostingContext,
  request: PostingRequest,
  idempotencyKey: string | undefined,
  { judge, costs = false }: Judgement = { judge: async () => ({}) },
): Promise<Outcome> {
  const { actor, db, reach } = ctx;
  const first = async () => (idempotencyKey ? await storedOutcome(ctx, request, idempotencyKey) : null);
  const known = costs ? await first() : null;
  if (known) return known;
  let judged: Judged;
  try {
    judged = await judge();
  } catch (refused) {
    const stored = costs ? null : await first();
    if (stored) return stored;
    throw refused;
  }
  const { triesLeft, ...proof } = judged;
  const row: Posting = {
    ...request,
    ...postingActor(actor),
    // Without a key nothing can be repeated: one that nobody knows.
    key: idempotencyKey ?? randomUUID(),
    hash: requestHash(request),
    at: givenTime(ctx),
    till: ctx.till?.id,
    ...proof,
    scope: reach.scope,
    scopeMerchant: reach.scope === "any" ? null : reach.merchantId,
  };
  const outcome = await post(db, row, { keyed: idempotencyKey !== undefined });
  if (outcome.outcome === "proof_invalid") return { ...outcome, triesLeft };
  const stored = idempotencyKey && outcome.outcome === "key_reused" ? await first() : null;
  return stored ?? outcome;
}

const isDone = (outcome: Outcome): boolean => "movement" in outcome || outcome.outcome === "held";

/** An operation's `input`, and the `stored` and `run` that post its request. `judgementOf` has the other parts of it. */
export function posting<Input extends { idempotencyKey?: string }, Sent, Answer>(
  input: z.ZodType<Input, Sent>,
  requestOf: (
    input: Input,
    ctx: Pick<Context, "db" | "clock">,
    reach: Reach,
  ) => PostingRequest | Promise<PostingRequest>,
  answerOf: (outcome: Outcome, ctx: Context<StaffActor>, request: PostingRequest) => Answer,
  judgementOf?: (ctx: PostingContext, input: Input, request: PostingRequest) => Judgement,
) {
  return {
    input,
    /** The first result of a request with the input's key, whatever the actor may do now; null where there is none. */
    stored: async (ctx: Context<StaffActor>, input: Input): Promise<Awaited<Answer> | null> => {
      if (!input.idempotencyKey) return null;
      const request = await requestOf(input, ctx, { scope: "any" });
      const stored = await storedOutcome(ctx, request, input.idempotencyKey);
      return stored && isDone(stored) ? await answerOf(stored, ctx, request) : null;
    },
    run: async (ctx: PostingContext, input: Input): Promise<Awaited<Answer>> => {
      const request = await requestOf(input, ctx, ctx.reach);
      const judgement = judgementOf?.(ctx, input, request);
      return await answerOf(await postOutcome(ctx, request, input.idempotencyKey, judgement), ctx, request);
    },
  };
}

/** The first result of the actor's request with this key, key_reused, or null. It checks nobody's status. */
async function storedOutcome(
  ctx: Pick<Context<StaffActor>, "db" | "actor">,
  request: PostingRequest,
  key: string,
): Promise<Outcome | null> {
  return storedOfEitherId(ctx.db, request, { ...postingActor(ctx.actor), scope: "own" }, key);
}

/**
 * The first result of a request with this key, by either id of the customer: staff who saw the private id once repeat
 * the request under the public one. Null for a key that was never used; the refusal key_reused if it was another request.
 */
export async function storedOfEitherId(
  db: Db | Tx,
  request: PostingRequest,
  by: PostingActor & Pick<PostingRow, "scope" | "scopeMerchant">,
  key: string,
): Promise<Outcome | null> {
  const find = (one: PostingRequest) => storedPosting(db, { ...one, ...by, key, hash: requestHash(one) });
  const stored = await find(request);
  if (stored === null || isDone(stored) || request.customer === undefined) return stored;
  const customer = await db.customer.findFirst({
    where: ofEitherId(request.customer),
    select: { id: true, publicId: true },
  });
  if (!customer) return stored;
  const { id, publicId } = customer;
  return find({ ...request, customer: request.customer.toLowerCase() === id ? publicId : id });
}

/** The receipt of an outcome, as this viewer may see it. Throws the refusal as a DomainError. */
export function receiptOf(outcome: Outcome, type: PostingRequest["type"], viewer: Actor): Receipt {
  if ("movement" in outcome) {
    const { movement, outcome: how } = outcome;
    return { movement: shownTo(viewer, movement), replayed: how === "replayed", held: movement.held };
  }
  throw refusalOf(outcome, type, viewer);
}

/** The refusal of an outcome without a movement. */
export function refusalOf(outcome: Outcome, type: PostingRequest["type"], viewer: Actor): DomainError {
  if (outcome.outcome === "held" || "movement" in outcome) return new DomainError("key_reused");
  const params: ErrorParams = {};
  if (outcome.limit !== null) params.limit = outcome.limit;
  if (outcome.balance !== null) params.balance = outcome.balance;
  if (outcome.triesLeft !== undefined) params.triesLeft = outcome.triesLeft;
  if (outcome.outcome === "other_till") {
    params.known = outcome.till ? "yes" : "no";
    params.till = outcome.till ?? "";
  }
  if (outcome.outcome === "hold_too_long") {
    const message = betweenMessage(HOLD_SECONDS.least, outcome.limit ?? HOLD_SECONDS.most);
    return new DomainError("validation", {}, [{ path: "seconds", message }]);
  }
  const hold = outcome.hold && holdShownTo(viewer, outcome.hold);
  return new DomainError(codeOf(outcome.outcome, type), params, [], hold ? { hold } : {});
}

function codeOf(refusal: Exclude<Refusal, "hold_too_long">, type: PostingRequest["type"]): ErrorCode {
  if (refusal === "busy") return "unavailable";
  if (refusal === "refund_forbidden" || refusal === "hold_forbidden") return "forbidden";
  if (refusal === "key_revoked") return "unauthenticated";
  if (refusal !== "not_found") return refusal;
  return type === "REVERSAL" || type === "REFUND" ? "movement_not_found" : "customer_not_found";
}

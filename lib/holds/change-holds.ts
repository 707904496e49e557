import type { Context } from "@/lib/db/context";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { updatePasses } from "@/lib/jobs/add-job";
import { holdShownTo, type Outcome, type PostingRequest } from "@/lib/ledger/batch";
import { KEY_REFUSALS, REDEEM_REFUSALS } from "@/lib/ledger/move-points";
import {
  isDone,
  type PostingContext,
  postOutcome,
  receiptOf,
  refusalOf,
  storedOutcome,
} from "@/lib/ledger/post-request";
import { judgeProof } from "@/lib/ledger/proof";
import { operation } from "@/lib/operations/operation";
import {
  type Capture,
  type CaptureHold,
  captureHoldSchema,
  type ExtendHold,
  extendHoldSchema,
  type HeldCard,
  type OpenHold,
  openHoldSchema,
  type ReleaseHold,
  releaseHoldSchema,
  type VoidHold,
  voidHoldSchema,
} from "./model";
import { findHold } from "./read-holds";

/** What a call did to a hold, which the card's pass then shows. Throws the refusal as a DomainError. */
async function changed(ctx: PostingContext, outcome: Outcome): Promise<HeldCard> {
  const card = heldOf(outcome, ctx);
  if (outcome.outcome === "held" && !card.replayed) {
    await updatePasses(ctx.db, ctx, [outcome.hold.customer.id]);
  }
  return card;
}

/** The hold of an outcome, with the card's figures. Throws the refusal as a DomainError. */
function heldOf(outcome: Outcome, { actor }: Pick<PostingContext, "actor">): HeldCard {
  if (outcome.outcome !== "held") throw refusalOf(outcome, "REDEEM", actor);
  const { hold, replayed } = outcome;
  return { hold: holdShownTo(actor, hold), balance: hold.balance, held: hold.held, replayed };
}

function captureOf(outcome: Outcome, { actor }: Pick<PostingContext, "actor">): Capture {
  const receipt = receiptOf(outcome, "REDEEM", actor);
  if (!("hold" in outcome) || !outcome.hold) throw new DomainError("key_reused");
  return { ...receipt, hold: holdShownTo(actor, outcome.hold) };
}

const openRequest = ({ customerId, branchId, points, upTo, seconds, saleRef }: OpenHold): PostingRequest => ({
  type: "REDEEM",
  holdCall: "open",
  customer: customerId,
  branch: branchId,
  points,
  upTo: upTo || undefined,
  seconds,
  saleRef,
});

/** A call of a hold that is there: its card and branch never change. Throws hold_not_found. */
async function requestOf(
  ctx: Pick<PostingContext, "db" | "clock">,
  reach: Reach,
  holdId: string,
  holdCall: NonNullable<PostingRequest["holdCall"]>,
  more: Partial<PostingRequest>,
): Promise<PostingRequest> {
  const { customer, branch } = await findHold(ctx.db, reach, holdId, ctx.clock());
  return { type: "REDEEM", holdCall, hold: holdId, customer: customer.id, branch: branch.id, ...more };
}

/** The first result of a call with the input's key, whatever the actor may do now; null where there is none. */
async function firstOf(
  ctx: Context<StaffActor>,
  request: PostingRequest,
  key: string | undefined,
): Promise<Outcome | null> {
  if (!key) return null;
  const stored = await storedOutcome(ctx, request, key);
  return stored && isDone(stored) ? stored : null;
}

/**
 * An operation's `stored` and `run` for a call that ends a hold or moves its end. `more` are the call's own fields, `proof`
 * is the live code that it needs.
 */
const heldCall = <Input extends { holdId: string; idempotencyKey?: string; proof?: string }>(
  holdCall: NonNullable<PostingRequest["holdCall"]>,
  more: (input: Input) => Partial<PostingRequest>,
) => ({
  stored: async (ctx: Context<StaffActor>, input: Input): Promise<HeldCard | null> => {
    const request = await requestOf(ctx, { scope: "any" }, input.holdId, holdCall, more(input));
    const first = await firstOf(ctx, request, input.idempotencyKey);
    return first && heldOf(first, ctx);
  },
  run: async (ctx: PostingContext, input: Input): Promise<HeldCard> => {
    const { holdId, idempotencyKey, proof } = input;
    const request = await requestOf(ctx, ctx.reach, holdId, holdCall, more(input));
    const judge = () => judgeProof(ctx, ctx.reach, request.customer ?? "", proof, 0);
    return changed(ctx, await postOutcome(ctx, request, idempotencyKey, { judge }));
  },
});

/** The refusals of a call that names a hold. */
const HOLD_REFUSALS = ["hold_not_found", "hold_closed", "merchant_unavailable", "branch_mismatch"] as const;

/**
 * Reserves points of a card for captures, until `seconds` have passed: named lots and an amount of paid points, in the
 * order in which a redemption takes them. The rules of a redemption apply, for the whole amount, and a code is spent.
 * Throws what redeem throws, too_many_holds, and validation for more seconds than the key allows.
 */
export const openHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: openHoldSchema,
  errors: [...REDEEM_REFUSALS, "below_minimum", "too_many_holds"],
  stored: async (ctx, input): Promise<HeldCard | null> => {
    const first = await firstOf(ctx, openRequest(input), input.idempotencyKey);
    return first && heldOf(first, ctx);
  },
  run: async (ctx, input): Promise<HeldCard> => {
    const judge = () => judgeProof(ctx, ctx.reach, input.customerId, input.proof, input.points);
    const costs = input.proof !== undefined;
    return changed(ctx, await postOutcome(ctx, openRequest(input), input.idempotencyKey, { judge, costs }));
  },
});

const captureParts = ({ points, final, saleRef }: CaptureHold) => ({
  points,
  final: final === false ? false : undefined,
  saleRef,
});

/**
 * Redeems points of an open hold, all that is left by default. A final capture (the default) ends the hold, and what is
 * left is free. It asks for no confirmation, and the card may be blocked or frozen. Throws hold_not_found, hold_closed,
 * hold_exceeded, below_minimum, own_card, merchant_unavailable, branch_mismatch, key_reused, unavailable, outcome_unknown.
 */
export const captureHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: captureHoldSchema,
  errors: [
    ...HOLD_REFUSALS,
    "hold_exceeded",
    "below_minimum",
    "own_card",
    "customer_erased",
    ...KEY_REFUSALS,
  ],
  stored: async (ctx, input): Promise<Capture | null> => {
    const request = await requestOf(ctx, { scope: "any" }, input.holdId, "capture", captureParts(input));
    const first = await firstOf(ctx, request, input.idempotencyKey);
    return first && captureOf(first, ctx);
  },
  run: async (ctx, input): Promise<Capture> => {
    const request = await requestOf(ctx, ctx.reach, input.holdId, "capture", captureParts(input));
    return captureOf(await postOutcome(ctx, request, input.idempotencyKey), ctx);
  },
});

/**
 * Ends an open hold; its points are free. A hold that is voided already is answered as it is. A user voids what a user
 * opened: a key's hold is released. Throws hold_not_found, hold_closed, forbidden.
 */
export const voidHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: voidHoldSchema,
  errors: [...HOLD_REFUSALS, ...KEY_REFUSALS],
  ...heldCall("void", ({ note }: VoidHold) => ({ reason: note || undefined })),
});

/**
 * Sets the end of an open hold to now and `seconds`, once, and never beyond the longest hold of its key from when it was
 * opened. Throws hold_not_found, hold_closed, hold_extended, validation.
 */
export const extendHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: extendHoldSchema,
  errors: [...HOLD_REFUSALS, "hold_extended", ...KEY_REFUSALS],
  ...heldCall("extend", ({ seconds }: ExtendHold) => ({ seconds })),
});

/**
 * Ends an API key's hold at the counter, with the card's live code, which is spent. Throws hold_not_found, hold_closed,
 * proof_invalid, forbidden for a hold that a user opened.
 */
export const releaseHold = operation({
  permission: "money.redeem",
  input: releaseHoldSchema,
  errors: [...HOLD_REFUSALS, "proof_invalid", ...KEY_REFUSALS],
  ...heldCall<ReleaseHold>("release", () => ({})),
});

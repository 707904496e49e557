import type { Context } from "@/lib/db/context";
import { eitherIdIs } from "@/lib/db/query";
import type { StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { addDays, dayStart } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import type { Outcome, PostingRequest } from "./batch";
import {
  CARD_REFUSALS,
  giveBonusSchema,
  POSTING_REFUSALS,
  redeemSchema,
  refundSchema,
  reverseSchema,
  TOP_UP_REFUSALS,
  type TopUp,
  topUpSchema,
} from "./model/movements";
import { posting, receiptOf } from "./post-request";
import { type Judged, judgeProof } from "./proof";

export const KEY_REFUSALS = [
  "key_reused",
  "reversed_before_arrival",
  "in_progress",
  "unavailable",
  "outcome_unknown",
] as const;

const receipt = (outcome: Outcome, { actor }: Context<StaffActor>, { type }: PostingRequest) =>
  receiptOf(outcome, type, actor);
const placeOf = ({ customerId, branchId, merchantId }: Omit<TopUp, "points">) => ({
  customer: customerId,
  branch: branchId,
  namedMerchant: merchantId,
});

/** Adds points to a customer's balance at a branch of its merchant. The same idempotency key answers the same receipt. */
export const topUp = operation({
  permission: "money.topUp",
  keyScope: "topup",
  errors: ["customer_not_found", ...TOP_UP_REFUSALS, "tender_not_taken", "key_limit", ...KEY_REFUSALS],
  ...posting(
    topUpSchema,
    ({ points, tender, saleRef, ...at }) => ({
      type: "TOP_UP",
      ...placeOf(at),
      points,
      tender,
      saleRef,
    }),
    receipt,
    (ctx, input) => ({ judge: () => judgeTender(ctx, input) }),
  ),
});

export const REDEEM_REFUSALS = [
  "customer_not_found",
  ...POSTING_REFUSALS,
  "insufficient_balance",
  "proof_required",
  "worker_proof_required",
  "proof_amount",
  "proof_invalid",
  "key_limit",
  ...KEY_REFUSALS,
] as const;

/** Redeems points. Above the day's limit of card or employee it needs a live or mailed code, good once. */
export const redeem = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  errors: REDEEM_REFUSALS,
  ...posting(
    redeemSchema,
    ({ points, saleRef, ...at }) => ({ type: "REDEEM", ...placeOf(at), points, saleRef }),
    receipt,
    (ctx, { customerId, proof, points }) => ({
      judge: () => judgeProof(ctx, ctx.reach, customerId, proof, points),
      costs: proof !== undefined,
    }),
  ),
});

/** Gives bonus points, which end after a day or never. */
export const giveBonus = operation({
  permission: "money.bonus",
  keyScope: "bonus",
  errors: [
    "customer_not_found",
    ...POSTING_REFUSALS,
    "below_minimum",
    "above_maximum",
    "balance_limit",
    "bonus_ended",
    "key_limit",
    ...KEY_REFUSALS,
  ],
  stepUp: true,
  ...posting(
    giveBonusSchema,
    ({ points, reason, endsOn, ...at }) => {
      const endsAt = endsOn ? dayStart(addDays(endsOn, 1)) : undefined;
      return { type: "BONUS", ...placeOf(at), points, reason, endsAt };
    },
    receipt,
  ),
});

/** Refunds a redemption or part: paid points first, then bonus to its lots. Employees: within refund_days. */
export const refund = operation({
  permission: "money.refund",
  keyScope: "refund",
  errors: [
    "movement_not_found",
    "not_refundable",
    "already_reversed",
    "refund_exceeded",
    "refund_expired",
    "value_lowered",
    "below_minimum",
    "daily_cap",
    ...CARD_REFUSALS,
    ...KEY_REFUSALS,
  ],
  ...posting(
    refundSchema,
    ({ movementId: refunds, points, reason, saleRef }) => ({
      type: "REFUND",
      refunds,
      points,
      reason,
      saleRef,
    }),
    receipt,
  ),
});

export const REVERSAL_REFUSALS = [
  "undo_expired",
  "not_latest",
  "other_till",
  "not_reversible",
  "already_spent",
  "refunded",
  "value_lowered",
  ...CARD_REFUSALS,
] as const;

/**
 * Posts the opposite of a movement, lot by lot, or answers the reversal that is there. An employee may undo an own movement
 * within the undo window, as long as it is the customer's latest. Owners and super_admins must give a reason.
 */
export const reverse = operation({
  permission: "money.reverse",
  errors: ["movement_not_found", "reason_required", ...REVERSAL_REFUSALS, ...KEY_REFUSALS],
  /** Above the largest top-up. A PIN's session has nothing to confirm with, and undoes only recent work. */
  stepUp: async ({ db, actor }, { movementId }) => {
    if (actor.tillId !== null) return false;
    const [movement] = await db.$queryRaw<{ large: boolean }[]>`
    select abs(m.points) > c.max_top_up as large
    from movements m cross join lateral points_config_in_force(m.merchant_id) c where m.id = ${movementId}::uuid`;
    return movement?.large ?? false;
  },
  ...posting(
    reverseSchema,
    ({ movementId, reason }) => ({
      type: "REVERSAL",
      reverses: movementId,
      reason: reason || undefined,
    }),
    receipt,
    ({ reach }, { reason }) => ({
      judge: async () => {
        if (reach.scope === "own" || reason) return {};
        throw new DomainError("reason_required", {}, [
          { path: "reason", message: "validation.reason.required" },
        ]);
      },
    }),
  ),
});

/** The tenders of a merchant's staff came with their session; only for others (a super_admin) are they read here. */
async function acceptedTenders(ctx: Context<StaffActor>, customerId: string): Promise<string[] | null> {
  const { actor, db } = ctx;
  if (actor.type === "user" && actor.merchantTenders) return actor.merchantTenders;
  const [merchant] = await db.$queryRaw<{ tenders: string[] }[]>`
    select m.tenders::text[] as tenders from customers c join merchants m on m.id = c.merchant_id
    where ${eitherIdIs(customerId)}`;
  return merchant?.tenders ?? null;
}

/** Throws tender_not_taken for a way of paying that the customer's merchant does not accept; the default is cash. */
async function judgeTender(
  ctx: Context<StaffActor>,
  { customerId, tender = "cash" }: Pick<TopUp, "customerId" | "tender">,
): Promise<Judged> {
  const accepted = await acceptedTenders(ctx, customerId);
  // The posting refuses an unknown customer.
  if (accepted === null || accepted.includes(tender)) return {};
  throw new DomainError("tender_not_taken", {}, [{ path: "tender", message: "errors.tender_not_taken" }]);
}

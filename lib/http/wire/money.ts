import { z } from "zod";
import { cashValue } from "@/lib/domain/money";
import {
  type LoggedMovement,
  leftToRefund,
  MOVEMENT_TYPES,
  type Movement,
  type MovementActor,
  type MovementLink,
  type Pockets,
  type Receipt,
} from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { TENDERS } from "@/lib/domain/tender";
import { customerNameOf } from "@/lib/i18n/customer-name";
import { translateKey } from "../problems";
import { same } from "./names";

const postedTo = {
  customerId: "customerId",
  sPoints: "points",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

/** POST top-up-points. */
export const topUpWire = { ...postedTo, eTender: "tender", sSaleRef: "saleRef" } as const;

/** POST redeem-points: with a proof where one is needed. */
export const redeemWire = { ...postedTo, sSaleRef: "saleRef", sProof: "proof" } as const;

/** POST bonus-points: dEndsAt is a day, through whose end in Qatar the bonus is good. */
export const bonusWire = { ...postedTo, sReason: "reason", dEndsAt: "endsOn" } as const;

/** POST transactions/{id}/refund: without sPoints all that is left. */
export const refundWire = { sPoints: "points", sReason: "reason", sSaleRef: "saleRef" } as const;

/** POST transactions/{id}/reverse. */
export const reverseWire = { sReason: "reason" } as const;

export const movementShape = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  /** Signed: negative when points leave the balance. */
  sPoints: z.number(),
  /** Of sPoints, signed too: what is paid and what is bonus. */
  iPaid: z.number(),
  iBonus: z.number(),
  sBalance: z.number(),
  /** The value of the balance. */
  sCashValue: z.string(),
  /** How a top-up was paid for; of everything else null. */
  eTender: z.enum(TENDERS).nullable(),
  /** The shop's own bill number. */
  sSaleRef: z.string().nullable(),
  /** The counter's clock; dCreatedAt is when it was posted. */
  dOccurredAt: z.string(),
  dCreatedAt: z.string(),
  /** Who made it; only a user has an id, the others are named by their kind. */
  actor: z.object({
    eType: z.enum(["user", "apiKey", "cardHolder", "system"]),
    _id: z.string().optional(),
    sName: z.string(),
  }),
  customer: z.object({ _id: z.string(), sUUID: z.string(), sFullName: z.string() }),
  /** Null when the movement was made at no branch, such as a balance that the card holder gave up. */
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  /** The till that it was made at, where it had one. */
  till: z.object({ _id: z.string(), sName: z.string() }).nullable(),
  undoUntil: z.string().nullable(),
});
export type MovementWire = z.infer<typeof movementShape>;

function actorFrom({ type, id, name }: MovementActor, locale: Locale): MovementWire["actor"] {
  if (type === "user") return { eType: type, _id: id, sName: name };
  return { eType: type, sName: translateKey(locale, `movements.actors.${type}`) };
}

/** A movement under the names of the API. */
export function toMovementWire(movement: Movement | LoggedMovement, locale: Locale): MovementWire {
  const { customer, branch } = movement;
  return {
    _id: movement.id,
    eType: movement.type,
    sPoints: movement.points,
    iPaid: movement.paidPoints,
    iBonus: movement.bonusPoints,
    sBalance: movement.balanceAfter,
    sCashValue: cashValue(movement.balanceAfter, movement.balanceRate),
    eTender: movement.tender,
    sSaleRef: movement.saleRef,
    dOccurredAt: movement.occurredAt.toISOString(),
    dCreatedAt: movement.createdAt.toISOString(),
    actor: actorFrom(movement.actor, locale),
    customer: { _id: customer.id, sUUID: customer.publicId, sFullName: customerNameOf(movement, locale) },
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    till: movement.till && { _id: movement.till.id, sName: movement.till.name },
    undoUntil: movement.undoUntil?.toISOString() ?? null,
  };
}

/** What can be spent, by pocket; what of the bonus ends first, and the last day in Qatar on which it is good. */
export const pocketsShape = z.object({
  iPaid: z.number().int(),
  iBonus: z.number().int(),
  iEndsNext: z.number().int().optional(),
  dEndsNext: z.iso.date().optional(),
});

/** Pockets under the names of the API. */
export function toPocketsWire({ paid, bonus, endsNext }: Pockets): z.infer<typeof pocketsShape> {
  return {
    iPaid: paid,
    iBonus: bonus,
    ...(endsNext ? { iEndsNext: endsNext.points, dEndsNext: endsNext.day } : {}),
  };
}

/** What every posting answers. */
export const receiptReply = {
  schema: movementShape,
  from: (receipt: Receipt, locale: Locale) => toMovementWire(receipt.movement, locale),
};

const redeemedShape = movementShape.extend({
  /** How many points each pocket gave, unsigned. */
  oDrawn: z.object({ iPaid: z.number(), iBonus: z.number() }),
});
export type RedeemedWire = z.infer<typeof redeemedShape>;

/** What a redeem answers: also what it took from each pocket. */
export const redeemReply = {
  schema: redeemedShape,
  from: ({ movement }: Receipt, locale: Locale): RedeemedWire => ({
    ...toMovementWire(movement, locale),
    oDrawn: { iPaid: 0 - movement.paidPoints, iBonus: 0 - movement.bonusPoints },
  }),
};

/** The header of a repeated answer. */
export function replayedHeader(receipt: Receipt): [string, string][] {
  return receipt.replayed ? [["Idempotency-Replayed", "true"]] : [];
}

/** Another movement that a movement names. */
export const link = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  sPoints: z.number(),
  dCreatedAt: z.iso.datetime(),
});
export const linkFrom = (from: MovementLink): z.output<typeof link> => ({
  _id: from.id,
  eType: from.type,
  sPoints: from.points,
  dCreatedAt: from.createdAt.toISOString(),
});

/** GET recent-top-ups, recent-redeems. `limit` is 1 to 20. */
export const recentQuery = same("limit");

/** GET redeem-points/find. */
export const findRedemptionsQuery = { sSaleRef: "saleRef" } as const;

/** What the short lists of the counter answer. */
export const recentReply = {
  schema: z.object({
    results: z.array(
      movementShape.extend({
        /** How many points of a redemption can still be refunded; 0 for anything else. */
        iLeftToRefund: z.number().int(),
        /** Present where it was undone. */
        reversedBy: link.optional(),
      }),
    ),
  }),
  from: (movements: LoggedMovement[], locale: Locale) => ({
    results: movements.map((movement) => ({
      ...toMovementWire(movement, locale),
      iLeftToRefund: leftToRefund(movement),
      ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
    })),
  }),
};

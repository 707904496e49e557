import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/domain/customer-id";
import type { LedgerCheck } from "@/lib/domain/ledger-check";
import { cashValue } from "@/lib/domain/money";
import {
  type LoggedMovement,
  leftToRefund,
  MOVEMENT_TYPES,
  type Movement,
  type MovementActor,
  type MovementLink,
  type Page,
  type Pockets,
  PROOF_KINDS,
  type Receipt,
} from "@/lib/domain/movements";
import { TENDERS } from "@/lib/domain/tender";

const postedTo = {
  customerId: "customerId",
  sPoints: "points",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

/** POST top-up-points. */
const topUpWire = { ...postedTo, eTender: "tender", sSaleRef: "saleRef" } as const;

/** POST redeem-points: with a proof where one is needed. */
const redeemWire = { ...postedTo, sSaleRef: "saleRef", sProof: "proof" } as const;

/** POST bonus-points: dEndsAt is a day, through whose end in Qatar the bonus is good. */
const bonusWire = { ...postedTo, sReason: "reason", dEndsAt: "endsOn" } as const;

/** POST transactions/{id}/refund: without sPoints all that is left. */
const refundWire = { sPoints: "points", sReason: "reason", sSaleRef: "saleRef" } as const;

/** POST transactions/{id}/reverse. */
const reverseWire = { sReason: "reason" } as const;

export const movementShape = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  /** Signed: negative when points leave the balance. */
  sPoints: z.number(),
  /** The value of sPoints at this movement's rate, without a sign. */
  sPointsValue: z.string(),
  /** The paid and the bonus part of sPoints, signed too. */
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
  /** The actor who made the movement. Only a user has an id; the others are named by their kind. */
  actor: z.object({
    eType: z.enum(["user", "apiKey", "cardHolder", "system"]),
    _id: z.string().optional(),
    sName: z.string(),
  }),
  customer: z.object({ _id: shownIdSchema, sUUID: z.string(), sFullName: z.string() }),
  /** Null when the movement was made at no branch, such as a balance that the card holder gave up. */
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  /** The till that it was made at, where it had one. */
  till: z.object({ _id: z.string(), sName: z.string() }).nullable(),
  undoUntil: z.string().nullable(),
});
export type MovementWire = z.infer<typeof movementShape>;

function actorFrom(actor: MovementActor, to: Writer): MovementWire["actor"] {
  const sName = to.actorName(actor);
  return actor.type === "user" ? { eType: actor.type, _id: actor.id, sName } : { eType: actor.type, sName };
}

/** A movement under the names of the API. */
export function toMovementWire(movement: Movement | LoggedMovement, to: Writer): MovementWire {
  const { customer, branch } = movement;
  return {
    _id: movement.id,
    eType: movement.type,
    sPoints: movement.points,
    sPointsValue: cashValue(Math.abs(movement.points), movement.rate),
    iPaid: movement.paidPoints,
    iBonus: movement.bonusPoints,
    sBalance: movement.balanceAfter,
    sCashValue: cashValue(movement.balanceAfter, movement.balanceRate),
    eTender: movement.tender,
    sSaleRef: movement.saleRef,
    dOccurredAt: movement.occurredAt.toISOString(),
    dCreatedAt: movement.createdAt.toISOString(),
    actor: actorFrom(movement.actor, to),
    customer: { _id: customer.id, sUUID: customer.publicId, sFullName: to.customerName(movement) },
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    till: movement.till && { _id: movement.till.id, sName: movement.till.name },
    undoUntil: movement.undoUntil?.toISOString() ?? null,
  };
}

/**
 * The points that can be spent, by pocket; the bonus points that end first, and their last good day in Qatar.
 */
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

/** The reply of every posting. */
const receiptReply = {
  schema: movementShape,
  from: (receipt: Receipt, to: Writer) => toMovementWire(receipt.movement, to),
};

const redeemedShape = movementShape.extend({
  /** How many points each pocket gave, unsigned. */
  oDrawn: z.object({ iPaid: z.number(), iBonus: z.number() }),
});
type RedeemedWire = z.infer<typeof redeemedShape>;

/** The reply of a redeem. It also says how many points came from each pocket. */
const redeemReply = {
  schema: redeemedShape,
  from: ({ movement }: Receipt, to: Writer): RedeemedWire => ({
    ...toMovementWire(movement, to),
    oDrawn: { iPaid: 0 - movement.paidPoints, iBonus: 0 - movement.bonusPoints },
  }),
};

/** The header of a repeated answer. */
export function replayedHeader(receipt: Receipt): [string, string][] {
  return receipt.replayed ? [["Idempotency-Replayed", "true"]] : [];
}

/** Another movement that a movement names. */
const link = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  sPoints: z.number(),
  dCreatedAt: z.iso.datetime(),
});
const linkFrom = (from: MovementLink): z.output<typeof link> => ({
  _id: from.id,
  eType: from.type,
  sPoints: from.points,
  dCreatedAt: from.createdAt.toISOString(),
});

/** GET recent-top-ups, recent-redeems. `limit` is 1 to 20. */
const recentQuery = same("limit");

/** GET redeem-points/find. */
const findRedemptionsQuery = { sSaleRef: "saleRef" } as const;

/** The reply of the short lists at the counter. */
const recentReply = {
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
  from: (movements: LoggedMovement[], to: Writer) => ({
    results: movements.map((movement) => ({
      ...toMovementWire(movement, to),
      iLeftToRefund: leftToRefund(movement),
      ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
    })),
  }),
};

/** GET transactions/export. Both days are Asia/Qatar days and are included. */
const exportQuery = {
  ...same("type", "from", "to", "search", "staffCards"),
  merchant: "merchantId",
  branch: "branchId",
  worker: "workerId",
  customer: "customerId",
  tender: "tender",
  actorRole: "actorRole",
} as const;

/** GET transactions. The default order is newest first (-time). */
const transactionsQuery = { ...exportQuery, ...same("cursor", "limit", "sort") } as const;

const logged = movementShape.extend({
  merchant: merchantRefShape,
  sReason: z.string().nullable(),
  eProof: z.enum(PROOF_KINDS),
  /** The user who posted a till's kept top-up from the inbox. */
  resolver: z.object({ _id: z.string(), sName: z.string() }).optional(),
  reverses: link.optional(),
  reversedBy: link.optional(),
  /** Of a refund: the redemption of which it gave a part back. */
  refunds: link.optional(),
  /** Of a redemption: its refunds that are not reversed, the oldest first. */
  refundedBy: z.array(link).optional(),
});

function loggedFrom(movement: LoggedMovement, to: Writer): z.output<typeof logged> {
  return {
    ...toMovementWire(movement, to),
    merchant: merchantRefFrom(movement.merchant),
    sReason: movement.reason,
    eProof: movement.proof,
    ...(movement.resolver ? { resolver: { _id: movement.resolver.id, sName: movement.resolver.name } } : {}),
    ...(movement.reverses ? { reverses: linkFrom(movement.reverses) } : {}),
    ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
    ...(movement.refunds ? { refunds: linkFrom(movement.refunds) } : {}),
    ...(movement.refundedBy.length > 0 ? { refundedBy: movement.refundedBy.map(linkFrom) } : {}),
  };
}

const transactionsReply = {
  schema: z.object({ results: z.array(logged), nextCursor: z.string().nullable() }),
  from: ({ results, nextCursor }: Page<LoggedMovement>, to: Writer) => ({
    results: results.map((movement) => loggedFrom(movement, to)),
    nextCursor,
  }),
};

/** Selects the merchant. Owners can select only their own. */
export const merchantQuery = { iMerchantId: "merchantId" } as const;

const check = z.object({
  _id: z.string(),
  iMerchantId: z.string(),
  eState: z.enum(["running", "done"]),
  /** Null while it runs, and if it ended without a result. */
  bOk: z.boolean().nullable(),
  /** The number of checked movements, and of all movements at the start. */
  iMovements: z.number().int(),
  iTotal: z.number().int(),
  dSealedTo: z.iso.datetime().nullable(),
  /** The head of the chain, in hexadecimal. */
  sHead: z.string().nullable(),
  /** The first violation: the rule, and the movement, customer, day (Asia/Qatar) or version of the configuration. */
  oFirstWrong: z
    .object({
      eWhat: z.string(),
      iMovementId: z.string().optional(),
      iCustomerId: z.string().optional(),
      dDay: z.string().optional(),
      iConfigId: z.string().optional(),
      iVersion: z.number().int().optional(),
    })
    .optional(),
  dStartedAt: z.iso.datetime(),
  dFinishedAt: z.iso.datetime().nullable(),
});

function toCheckWire(from: LedgerCheck): z.output<typeof check> {
  const wrong = from.firstWrong;
  return {
    _id: from.id,
    iMerchantId: from.merchantId,
    eState: from.state,
    bOk: from.ok,
    iMovements: from.movements,
    iTotal: from.total,
    dSealedTo: from.sealedTo?.toISOString() ?? null,
    sHead: from.head,
    ...(wrong
      ? {
          oFirstWrong: {
            eWhat: wrong.what,
            ...(wrong.movementId ? { iMovementId: wrong.movementId } : {}),
            ...(wrong.customerId ? { iCustomerId: wrong.customerId } : {}),
            ...(wrong.day ? { dDay: wrong.day } : {}),
            ...(wrong.configId ? { iConfigId: wrong.configId, iVersion: wrong.version } : {}),
          },
        }
      : {}),
    dStartedAt: from.startedAt.toISOString(),
    dFinishedAt: from.finishedAt?.toISOString() ?? null,
  };
}

const checkReply = { schema: check, from: toCheckWire };
/** Null if the ledger was never checked. */
const lastCheckReply = {
  schema: check.nullable(),
  from: (from: LedgerCheck | null) => from && toCheckWire(from),
};

/** The calls of the ledger, as both sides know them. */
export const ledgerCalls = {
  giveBonus: { method: "POST", path: "bonus-points", body: bonusWire, reply: receiptReply },
  lastCheck: { method: "GET", path: "ledger/verify", query: merchantQuery, reply: lastCheckReply },
  startCheck: { method: "POST", path: "ledger/verify", query: merchantQuery, reply: checkReply },
  recentRedeems: { method: "GET", path: "recent-redeems", query: recentQuery, reply: recentReply },
  recentTopUps: { method: "GET", path: "recent-top-ups", query: recentQuery, reply: recentReply },
  findRedemptions: {
    method: "GET",
    path: "redeem-points/find",
    query: findRedemptionsQuery,
    reply: recentReply,
  },
  redeem: { method: "POST", path: "redeem-points", body: redeemWire, reply: redeemReply },
  topUp: { method: "POST", path: "top-up-points", body: topUpWire, reply: receiptReply },
  refund: {
    method: "POST",
    path: "transactions/{id}/refund",
    params: { id: "movementId" },
    body: refundWire,
    reply: receiptReply,
  },
  reverse: {
    method: "POST",
    path: "transactions/{id}/reverse",
    params: { id: "movementId" },
    body: reverseWire,
    reply: receiptReply,
  },
  exportMovements: { method: "GET", path: "transactions/export", query: exportQuery },
  listMovements: { method: "GET", path: "transactions", query: transactionsQuery, reply: transactionsReply },
} as const;

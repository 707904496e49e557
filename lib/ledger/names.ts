import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import {
  absentIfNull,
  computed,
  type DataOf,
  fields,
  instant,
  instantText,
  list,
  nullable,
  optional,
  otherwise,
  pageOf,
} from "@/lib/calls/codec";
import { branchRef, merchantRef, namedRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import { cashValue } from "@/lib/domain/money";
import type { Wrong } from "./model/ledger-check";
import {
  type giveBonusSchema,
  type LoggedMovement,
  leftToRefund,
  MOVEMENT_TYPES,
  type Movement,
  type MovementActor,
  type Pockets,
  PROOF_KINDS,
  type Receipt,
  type redeemSchema,
  type refundSchema,
  type reverseSchema,
  type topUpSchema,
} from "./model/movements";
import { TENDERS } from "./model/tender";

const postedTo = {
  customerId: "customerId",
  sPoints: "points",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

export const actorOf = computed(
  z.object({
    eType: z.enum(["user", "apiKey", "cardHolder", "system"]),
    _id: z.string().optional(),
    sName: z.string(),
  }),
  ({ actor }: { actor: MovementActor }, to) => {
    const sName = to.actorName(actor);
    return actor.type === "user" ? { eType: actor.type, _id: actor.id, sName } : { eType: actor.type, sName };
  },
);

export const customerRef = fields({
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  sFullName: ["fullName", z.string()],
});
/** The customer of a movement or a hold, under a general name where the card was deleted. */
export const customerOf = {
  ...customerRef,
  computed: true,
  from: (of: { customer: Movement["customer"]; customerErased?: boolean }, to: Writer) =>
    customerRef.from({ ...of.customer, fullName: to.customerName(of) }, to),
} as const;

/** A moment, which the counter keeps as its text. */
const at = { ...instantText, schema: z.string() };

const movementFields = {
  _id: ["id", z.string()],
  eType: ["type", z.enum(MOVEMENT_TYPES)],
  /** Signed: negative when points leave the balance. */
  sPoints: ["points", z.number()],
  /** The value of sPoints at this movement's rate, without a sign. */
  sPointsValue: [
    "pointsValue",
    computed(z.string(), ({ points, rate }: Movement) => cashValue(Math.abs(points), rate)),
  ],
  /** The paid and the bonus part of sPoints, signed too. */
  iPaid: ["paid", computed(z.number(), ({ paidPoints }: Movement) => paidPoints)],
  iBonus: ["bonus", computed(z.number(), ({ bonusPoints }: Movement) => bonusPoints)],
  sBalance: ["balance", computed(z.number(), ({ balanceAfter }: Movement) => balanceAfter)],
  sCashValue: [
    "cashValue",
    computed(z.string(), (movement: Movement) => cashValue(movement.balanceAfter, movement.balanceRate)),
  ],
  /** How a top-up was paid for; of everything else null. */
  eTender: ["tender", z.enum(TENDERS).nullable()],
  sSaleRef: ["saleRef", z.string().nullable()],
  /** The counter's clock; dCreatedAt is when it was posted. */
  dOccurredAt: ["occurredAt", at],
  dCreatedAt: ["createdAt", at],
  actor: ["actor", actorOf],
  customer: ["customer", customerOf],
  /** Null when the movement was made at no branch, such as a balance that the card holder gave up. */
  branch: ["branch", nullable(branchRef)],
  till: ["till", nullable(namedRef)],
  undoUntil: ["undoUntil", nullable(at)],
} as const;
export const movementCodec = fields(movementFields);

export const pocketsCodec = fields({
  iPaid: ["paid", z.number().int()],
  iBonus: ["bonus", z.number().int()],
  iEndsNext: ["endsNext", optional(computed(z.number().int(), ({ endsNext }: Pockets) => endsNext?.points))],
  dEndsNext: ["endsOn", optional(computed(z.iso.date(), ({ endsNext }: Pockets) => endsNext?.day))],
});

/** How much of sBalance open holds reserve, and what can be spent now. Beside sBalance where it is the present one. */
export const heldShape = { iHeld: z.number().int(), iAvailable: z.number().int() };
export const heldFrom = (balance: number, held: number) => ({
  iHeld: held,
  iAvailable: Math.max(0, balance - held),
});

export const heldFields = {
  sBalance: ["balance", z.number()],
  iHeld: ["held", otherwise(z.number().int(), 0)],
  iAvailable: [
    "available",
    computed(z.number().int(), ({ balance, held }: { balance: number; held: number }) => balance - held),
  ],
} as const;

const receiptReply = {
  schema: movementCodec.schema.extend(heldShape),
  from: ({ movement, held }: Receipt, to: Writer) => ({
    ...movementCodec.from(movement, to),
    ...heldFrom(movement.balanceAfter, held),
  }),
  view: movementCodec.view,
};

const redeemed = fields({
  ...movementFields,
  /** How many points each pocket gave, unsigned. */
  oDrawn: [
    "drawn",
    computed(z.object({ iPaid: z.number(), iBonus: z.number() }), (movement: Movement) => ({
      iPaid: 0 - movement.paidPoints,
      iBonus: 0 - movement.bonusPoints,
    })),
  ],
});

export const redeemReply = {
  schema: redeemed.schema.extend(heldShape),
  from: ({ movement, held }: Receipt, to: Writer) => ({
    ...redeemed.from(movement, to),
    ...heldFrom(movement.balanceAfter, held),
  }),
  view: redeemed.view,
};

/** The details of every call that posts: the header of a repeated answer, and the limit. */
export const POSTS = {
  headers: ({ replayed }: Pick<Receipt, "replayed">): [string, string][] =>
    replayed ? [["Idempotency-Replayed", "true"]] : [],
  limit: "money",
} as const;

const link = fields({
  _id: ["id", z.string()],
  eType: ["type", z.enum(MOVEMENT_TYPES)],
  sPoints: ["points", z.number()],
  dCreatedAt: ["createdAt", instantText],
});

const recent = list(
  fields({
    ...movementFields,
    /** How many points of a redemption can still be refunded; 0 for anything else. */
    iLeftToRefund: ["left", computed(z.number().int(), (movement: LoggedMovement) => leftToRefund(movement))],
    reversedBy: ["reversedBy", absentIfNull(link)],
  }),
);
const recentReply = {
  schema: z.object({ results: recent.schema }),
  from: (movements: LoggedMovement[], to: Writer) => ({ results: recent.from(movements, to) }),
  view: ({ results }: { results: DataOf<typeof recent> }) => recent.view(results),
};

/** GET transactions/export. Both days are Asia/Qatar days and are included. */
const exportQuery = {
  ...same("type", "from", "to", "search", "staffCards", "tender", "actorRole"),
  merchant: "merchantId",
  branch: "branchId",
  worker: "workerId",
  key: "keyId",
  customer: "customerId",
} as const;

const logged = fields({
  ...movementFields,
  merchant: ["merchant", merchantRef],
  /** The number on its receipt: the card's code and which of its movements this is, such as "K7M2QD-14". */
  sReceiptNumber: ["receiptNumber", z.string()],
  sReason: ["reason", z.string().nullable()],
  eProof: ["proof", z.enum(PROOF_KINDS)],
  resolver: ["resolver", absentIfNull(namedRef)],
  reverses: ["reverses", absentIfNull(link)],
  reversedBy: ["reversedBy", absentIfNull(link)],
  refunds: ["refunds", absentIfNull(link)],
  /** Of a redemption: its refunds that are not reversed, the oldest first. */
  refundedBy: [
    "refundedBy",
    optional(
      computed(z.array(link.schema), ({ refundedBy }: LoggedMovement, to) =>
        refundedBy.length > 0 ? refundedBy.map((one) => link.from(one, to)) : undefined,
      ),
    ),
  ],
});

/** Selects the merchant. Owners can select only their own. */
export const merchantQuery = { iMerchantId: "merchantId" } as const;

/** The first violation: the rule, and the movement, customer, day (Asia/Qatar) or version of the configuration. */
const wrong = fields({
  eWhat: ["what", z.string()],
  iMovementId: ["movementId", optional(z.string())],
  iCustomerId: ["customerId", optional(z.string())],
  dDay: ["day", optional(z.string())],
  iConfigId: ["configId", optional(z.string())],
  iVersion: ["version", optional(z.number().int())],
});

const check = fields({
  _id: ["id", z.string()],
  iMerchantId: ["merchantId", z.string()],
  eState: ["state", z.enum(["running", "done"])],
  /** Null while it runs, and if it ended without a result. */
  bOk: ["ok", z.boolean().nullable()],
  /** The number of checked movements, and of all movements at the start. */
  iMovements: ["movements", z.number().int()],
  iTotal: ["total", z.number().int()],
  /** The time of the last seal; null without a seal. */
  dSealedTo: ["sealedTo", nullable(instant)],
  /** The hash of the last seal, in hexadecimal. */
  sHead: ["head", z.string().nullable()],
  oFirstWrong: ["firstWrong", absentIfNull(wrong)],
  dStartedAt: ["startedAt", instant],
  dFinishedAt: ["finishedAt", nullable(instant)],
});

export type LedgerCheck = Omit<Parameters<typeof check.from>[0], "firstWrong"> & { firstWrong: Wrong | null };

export const ledgerCalls = {
  giveBonus: {
    method: "POST",
    path: "bonus-points",
    /** dEndsAt is a day, through whose end in Qatar the bonus is good. */
    body: { ...postedTo, sReason: "reason", dEndsAt: "endsOn" },
    reply: receiptReply,
    input: sends<z.input<typeof giveBonusSchema>>(),
  },
  /** Null if the ledger was never checked. */
  lastCheck: { method: "GET", path: "ledger/verify", query: merchantQuery, reply: nullable(check) },
  startCheck: { method: "POST", path: "ledger/verify", query: merchantQuery, reply: check },
  recentRedeems: { method: "GET", path: "recent-redeems", query: same("limit"), reply: recentReply },
  recentTopUps: { method: "GET", path: "recent-top-ups", query: same("limit"), reply: recentReply },
  findRedemptions: {
    method: "GET",
    path: "redeem-points/find",
    query: { sSaleRef: "saleRef" },
    reply: recentReply,
  },
  redeem: {
    method: "POST",
    path: "redeem-points",
    body: { ...postedTo, sSaleRef: "saleRef", sProof: "proof" },
    reply: redeemReply,
    input: sends<z.input<typeof redeemSchema>>(),
  },
  topUp: {
    method: "POST",
    path: "top-up-points",
    body: { ...postedTo, eTender: "tender", sSaleRef: "saleRef" },
    reply: receiptReply,
    input: sends<z.input<typeof topUpSchema>>(),
  },
  refund: {
    method: "POST",
    path: "transactions/{id}/refund",
    params: { id: "movementId" },
    body: { sPoints: "points", sReason: "reason", sSaleRef: "saleRef" },
    reply: receiptReply,
    input: sends<z.input<typeof refundSchema>>(),
  },
  reverse: {
    method: "POST",
    path: "transactions/{id}/reverse",
    params: { id: "movementId" },
    body: { sReason: "reason" },
    reply: receiptReply,
    input: sends<z.input<typeof reverseSchema>>(),
  },
  exportMovements: { method: "GET", path: "transactions/export", query: exportQuery },
  viewMovement: {
    method: "GET",
    path: "transactions/{id}",
    params: { id: "movementId" },
    reply: logged,
  },
  listMovements: {
    method: "GET",
    path: "transactions",
    query: { ...exportQuery, ...same("cursor", "limit", "sort") },
    reply: pageOf(logged),
  },
} as const;

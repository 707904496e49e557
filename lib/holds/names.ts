import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import { absentIfNull, fields, instantText, nullable, pageOf } from "@/lib/calls/codec";
import { branchRef, merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import type { Receipt } from "@/lib/ledger/model/movements";
import { actorOf, customerOf, heldFrom, heldShape, movementCodec, redeemReply } from "@/lib/ledger/names";
import { HOLD_REASONS, HOLD_STATES, type releaseHoldSchema, type reverseLostSchema } from "./model";

export const holdCodec = fields({
  _id: ["id", z.string()],
  /** As of now: a hold whose time is over is lapsed, whatever a job has written down. */
  eState: ["state", z.enum(HOLD_STATES)],
  eReason: ["reason", absentIfNull(z.enum(HOLD_REASONS))],
  /** A person's note about its end; null where the card was deleted. */
  sReason: ["note", absentIfNull(z.string())],
  iPoints: ["points", z.number().int()],
  iCaptured: ["captured", z.number().int()],
  /** The points that can still be captured; 0 once it is not open. */
  iRemaining: ["remaining", z.number().int()],
  dExpiresAt: ["expiresAt", instantText],
  dCreatedAt: ["createdAt", instantText],
  dClosedAt: ["closedAt", nullable(instantText)],
  bExtended: ["extended", z.boolean()],
  oDrawn: ["drawn", fields({ iPaid: ["paid", z.number().int()], iBonus: ["bonus", z.number().int()] })],
  sSaleRef: ["saleRef", z.string().nullable()],
  customer: ["customer", customerOf],
  bStaffCard: ["staffCard", z.boolean()],
  merchant: ["merchant", merchantRef],
  branch: ["branch", branchRef],
  actor: ["actor", actorOf],
});

/** A hold: points of a card that only its captures take. Amounts are in points. */
export type Hold = Parameters<typeof holdCodec.from>[0] & {
  customerErased: boolean;
  /** The card's status today: a hold of before it was blocked or frozen may still be captured. */
  customerStatus: CustomerStatus;
};
/** A hold with the card's figures after the call, in points: the balance, and how much of it is held in all. */
export type HeldCard = { hold: Hold; balance: number; held: number; replayed: boolean };
export type Capture = Receipt & { hold: Hold };
/** A lost request's end: its hold is voided, `movement` reversed it, or a tombstone keeps it from being posted. */
export type LostResult = Parameters<typeof lostReply.from>[0];

const heldReply = {
  schema: holdCodec.schema.extend({ sBalance: z.number().int(), ...heldShape }),
  from: ({ hold, balance, held }: HeldCard, to: Writer) => ({
    ...holdCodec.from(hold, to),
    sBalance: balance,
    ...heldFrom(balance, held),
  }),
};

const captureReply = {
  schema: redeemReply.schema.extend({ hold: holdCodec.schema }),
  from: ({ hold, ...receipt }: Capture, to: Writer) => ({
    ...redeemReply.from(receipt, to),
    hold: holdCodec.from(hold, to),
  }),
};

/** `movement` is the reversal, of a hold with several captures the last one. */
const lostReply = fields({
  eResult: ["result", z.enum(["voided", "reversed", "tombstone"])],
  movement: ["movement", absentIfNull(movementCodec)],
  hold: ["hold", absentIfNull(holdCodec)],
});

const holdParams = { id: "holdId" } as const;

export const holdCalls = {
  listHolds: {
    method: "GET",
    path: "holds",
    query: {
      ...same("cursor", "limit", "state"),
      customer: "customerId",
      branch: "branchId",
      key: "keyId",
      merchant: "merchantId",
    },
    reply: pageOf(holdCodec),
  },
  openHold: {
    method: "POST",
    path: "holds",
    body: {
      customerId: "customerId",
      sCode: "code",
      iBranchId: "branchId",
      iPoints: "points",
      bUpTo: "upTo",
      iSeconds: "seconds",
      sSaleRef: "saleRef",
      sProof: "proof",
    },
    reply: heldReply,
  },
  readHold: { method: "GET", path: "holds/{id}", params: holdParams, reply: holdCodec },
  captureHold: {
    method: "POST",
    path: "holds/{id}/capture",
    params: holdParams,
    body: { iPoints: "points", bFinal: "final", sSaleRef: "saleRef" },
    reply: captureReply,
  },
  voidHold: {
    method: "POST",
    path: "holds/{id}/void",
    params: holdParams,
    body: { sReason: "note" },
    reply: heldReply,
  },
  extendHold: {
    method: "POST",
    path: "holds/{id}/extend",
    params: holdParams,
    body: { iSeconds: "seconds" },
    reply: heldReply,
  },
  releaseHold: {
    method: "POST",
    path: "holds/{id}/release",
    params: holdParams,
    body: { sProof: "proof" },
    reply: heldReply,
    input: sends<z.input<typeof releaseHoldSchema>>(),
  },
  reverseLost: {
    method: "POST",
    path: "reversals",
    body: { sIdempotencyKey: "lostKey", sSaleRef: "saleRef", eType: "type" },
    reply: lostReply,
    input: sends<z.input<typeof reverseLostSchema>>(),
  },
} as const;

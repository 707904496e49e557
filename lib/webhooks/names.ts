import { z } from "zod";
import { absentIfNull, computed, fields, instantText, list, nullable, pageOf } from "@/lib/calls/codec";
import { branchRef, doneReply, idParams, merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { HOLD_REASONS, HOLD_STATES } from "@/lib/holds/model";
import { MOVEMENT_TYPES } from "@/lib/ledger/model/movements";
import { DELIVERY_ERRORS, DELIVERY_STATES, ENDPOINT_STATES, EVENT_TYPES, type EventType } from "./model";

const ref = z.object({ _id: z.string() });

/** A movement as events tell it: complete for money, staff by their ids, no customer's name. */
const eventMovement = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  sPoints: z.number().int(),
  sPointsValue: z.string(),
  iPaid: z.number().int(),
  iBonus: z.number().int(),
  sBalance: z.number().int(),
  sCashValue: z.string(),
  oPockets: z.object({ iPaid: z.number().int(), iBonus: z.number().int() }),
  eTender: z.string().nullable(),
  sSaleRef: z.string().nullable(),
  dOccurredAt: z.iso.datetime(),
  dCreatedAt: z.iso.datetime(),
  actor: z.object({
    eType: z.enum(["user", "apiKey", "cardHolder", "system"]),
    _id: z.string().optional(),
    sName: z.string().optional(),
  }),
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  till: ref.nullable(),
  reverses: z.object({ _id: z.string(), eType: z.enum(MOVEMENT_TYPES) }).optional(),
  refunds: ref.optional(),
});
export type EventMovement = z.output<typeof eventMovement>;

/** A closed shift; iDifference in dirhams: counted cash less expected cash. */
const eventShift = z.object({
  _id: z.string(),
  iNumber: z.number().int(),
  branch: ref,
  till: ref,
  dOpenedAt: z.iso.datetime(),
  dClosedAt: z.iso.datetime(),
  iDifference: z.number().int(),
});
export type EventShift = z.output<typeof eventShift>;

const eventCustomer = z.object({ sUUID: z.string(), eStatus: z.string().optional() });
/** A hold as its event leaves it, and what is held of the card and available then; `actor` opened it. */
const eventHold = z.object({
  _id: z.string(),
  eState: z.enum(HOLD_STATES),
  eReason: z.enum(HOLD_REASONS).optional(),
  iPoints: z.number().int(),
  iCaptured: z.number().int(),
  iRemaining: z.number().int(),
  dExpiresAt: z.iso.datetime(),
  oDrawn: z.object({ iPaid: z.number().int(), iBonus: z.number().int() }),
  sSaleRef: z.string().optional(),
  branch: ref,
  actor: z.object({ eType: z.enum(["user", "apiKey"]), _id: z.string() }),
  iHeld: z.number().int(),
  iAvailable: z.number().int(),
});
const ofCustomer = { iSeq: z.number().int(), customer: eventCustomer };

function dataOf(type: EventType) {
  if (type === "endpoint.test") return z.object({});
  if (type === "shift.closed") return z.object({ shift: eventShift });
  if (type === "hold.captured") {
    return z.object({ ...ofCustomer, hold: eventHold, movement: eventMovement.optional() });
  }
  if (type.startsWith("hold.")) return z.object({ ...ofCustomer, hold: eventHold });
  if (type.startsWith("customer.")) return z.object(ofCustomer);
  return z.object({ ...ofCustomer, movement: eventMovement });
}

/** The body of an event of this type, as a webhook sends it. */
export const eventSchema = (type: EventType) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data: dataOf(type) });

const eventFields = {
  type: ["type", z.enum(EVENT_TYPES)],
  timestamp: ["timestamp", z.iso.datetime()],
  data: ["data", z.record(z.string(), z.unknown())],
} as const;

const endpointFields = {
  _id: ["id", z.string()],
  sUrl: ["url", z.string()],
  aEvents: ["events", z.array(z.enum(EVENT_TYPES))],
  merchant: ["merchant", merchantRef],
  /** Only what happened at this branch; null: everything. */
  branch: ["branch", nullable(branchRef)],
  /** Whether a customer's events wait for each other. */
  bOrdered: ["ordered", z.boolean()],
  bAsymmetric: [
    "asymmetric",
    computed(z.boolean(), ({ publicKey }: { publicKey: string | null }) => publicKey !== null),
  ],
  /** `whpk_…`: with it v1a is verified. */
  sPublicKey: ["publicKey", z.string().nullable()],
  eState: ["state", z.enum(ENDPOINT_STATES)],
  /** Until when the secret of before signs too, after a rotation. */
  dOlderEndsAt: ["olderEndsAt", absentIfNull(instantText)],
  dCreatedAt: ["createdAt", instantText],
  dSucceededAt: ["succeededAt", absentIfNull(instantText)],
} as const;
const endpointReply = fields(endpointFields);
/** The secret is in the answer that made it and nowhere else. */
const secretReply = fields({ ...endpointFields, sSecret: ["secret", z.string()] });
export type Endpoint = Parameters<typeof endpointReply.from>[0];
export type EndpointWithSecret = Parameters<typeof secretReply.from>[0];

const attempt = fields({
  dSentAt: ["sentAt", instantText],
  iStatus: ["status", z.number().int().nullable()],
  eError: ["error", z.enum(DELIVERY_ERRORS).nullable()],
  iMilliseconds: ["duration", z.number().int()],
  sAnswer: ["answer", z.string()],
});
const deliveryReply = fields({
  _id: ["id", z.string()],
  sEventId: ["eventId", z.string()],
  eType: ["type", z.enum(EVENT_TYPES).nullable()],
  eState: ["state", z.enum(DELIVERY_STATES)],
  dCreatedAt: ["createdAt", instantText],
  dNextAt: ["nextAt", absentIfNull(instantText)],
  /** The body that is sent; null where the event has been forgotten. */
  oBody: ["body", nullable(fields(eventFields))],
  aAttempts: ["attempts", list(attempt)],
});
export type Attempt = Parameters<typeof attempt.from>[0];
export type Delivery = Parameters<typeof deliveryReply.from>[0];

const settingsWire = {
  sUrl: "url",
  aEvents: "events",
  iBranchId: "branchId",
  bOrdered: "ordered",
  bAsymmetric: "asymmetric",
} as const;

export const webhookCalls = {
  listEvents: {
    method: "GET",
    path: "events",
    query: { ...same("after", "limit", "types"), iMerchantId: "merchantId" },
    reply: pageOf(fields({ _id: ["id", z.string()], ...eventFields })),
  },
  listWebhooks: {
    method: "GET",
    path: "webhooks",
    query: { ...same("cursor", "limit"), iMerchantId: "merchantId" },
    reply: pageOf(endpointReply),
  },
  createWebhook: {
    method: "POST",
    path: "webhooks",
    body: { ...settingsWire, iMerchantId: "merchantId" },
    reply: secretReply,
  },
  updateWebhook: {
    method: "PUT",
    path: "webhooks/{id}",
    params: idParams,
    body: { ...settingsWire, eState: "state" },
    reply: endpointReply,
  },
  deleteWebhook: { method: "DELETE", path: "webhooks/{id}", params: idParams, reply: doneReply },
  rotateWebhook: { method: "POST", path: "webhooks/{id}/rotate", params: idParams, reply: secretReply },
  testWebhook: {
    method: "POST",
    path: "webhooks/{id}/test",
    params: idParams,
    reply: fields({ sEventId: ["eventId", z.string()] }),
  },
  listDeliveries: {
    method: "GET",
    path: "webhooks/{id}/deliveries",
    params: idParams,
    query: { ...same("cursor", "limit"), eState: "state", dFrom: "from", dTo: "to" },
    reply: pageOf(deliveryReply),
  },
  replayWebhook: {
    method: "POST",
    path: "webhooks/{id}/replay",
    params: idParams,
    body: { sEventId: "eventId", dFrom: "from", dTo: "to", bFailedOnly: "failedOnly" },
    reply: fields({ iCount: ["count", z.number().int()] }),
  },
} as const;

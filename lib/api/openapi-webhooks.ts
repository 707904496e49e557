import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { EVENT_TYPES, type EventType } from "@/lib/webhooks/model";
import { eventSchema } from "@/lib/webhooks/names";

const headers = z.object({
  "webhook-id": z.string().meta({ description: "The event's id: the same in every attempt and replay." }),
  "webhook-timestamp": z.string().meta({ description: "When this attempt was made, in seconds since 1970." }),
  "webhook-signature": z.string().meta({
    description:
      "Signatures of Standard Webhooks, parted by spaces: v1 (HMAC-SHA-256), v1a (ed25519) if it is wanted.",
  }),
});

const MOMENT = "2026-11-25T08:30:00.000Z";
const customer = { sUUID: "7d9a3c52-5b0e-4f39-9c1a-8e2f64d0b713" };
const hold = {
  _id: "0199aa10-9b11-7f02-9d45-2c6a1f08e3b7",
  eState: "open",
  iPoints: 40,
  iCaptured: 0,
  iRemaining: 40,
  dExpiresAt: "2026-11-25T08:25:00.000Z",
  oDrawn: { iPaid: 40, iBonus: 0 },
  sSaleRef: "INV-1043",
  branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
  actor: { eType: "apiKey", _id: "0199aa10-7a02-7c18-9b3f-6e1d4a5c8f70" },
  iHeld: 40,
  iAvailable: 60,
};
const shift = {
  _id: "0199aa10-8d20-7b5e-8c11-4a7f9e02d6c3",
  iNumber: 118,
  branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
  till: { _id: "0199aa10-7e01-7a3c-9f62-1b8d5c4e7a90" },
  dOpenedAt: "2026-11-25T05:00:00.000Z",
  dClosedAt: MOMENT,
  iDifference: 0,
};
const TYPES = {
  "topup.posted": ["TOP_UP", 100],
  "redeem.posted": ["REDEEM", -25],
  "refund.posted": ["REFUND", 10],
  "bonus.posted": ["BONUS", 20],
  "reversal.posted": ["REVERSAL", -100],
  "expiry.posted": ["EXPIRY", -20],
  "adjustment.posted": ["ADJUSTMENT", -5],
  "import.posted": ["IMPORT", 300],
} as const;

function movementOf(eType: string, sPoints: number) {
  const isBonus = eType === "BONUS" || eType === "EXPIRY";
  return {
    _id: "0199aa10-aa31-7c60-8e02-93b1d7f45a28",
    eType,
    sPoints,
    sPointsValue: `${Math.abs(sPoints)}.00`,
    iPaid: isBonus ? 0 : sPoints,
    iBonus: isBonus ? sPoints : 0,
    sBalance: 420,
    sCashValue: "420.00",
    oPockets: { iPaid: 400, iBonus: 20 },
    eTender: eType === "TOP_UP" ? "online" : null,
    sSaleRef: "ORDER-1001",
    dOccurredAt: MOMENT,
    dCreatedAt: MOMENT,
    actor: { eType: "apiKey", _id: "0199aa10-6f00-7e8b-9b3d-7c2a5d1e4f06", sName: "Web shop" },
    branch: { _id: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sBranchName: "West Bay" },
    till: null,
  };
}

/** An event of each type, as its receiver gets it. */
export function eventExample(type: EventType) {
  const [eType, points] = type in TYPES ? TYPES[type as keyof typeof TYPES] : [];
  const data =
    eType !== undefined && points !== undefined
      ? { iSeq: 12, customer, movement: movementOf(eType, points) }
      : type.startsWith("hold.")
        ? { iSeq: 12, customer, hold }
        : type.startsWith("customer.")
          ? { iSeq: 12, customer: { ...customer, eStatus: type === "customer.frozen" ? "frozen" : "active" } }
          : type === "shift.closed"
            ? { shift }
            : {};
  return { type, timestamp: MOMENT, data };
}

const operationIdOf = (type: EventType) =>
  `on${type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;

/** What we send to the addresses of POST /webhooks: a schema and an example for each type of event. */
export const webhooksOf = (): ZodOpenApiPathsObject =>
  Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: operationIdOf(type),
          summary: `An event of the type ${type}.`,
          tags: ["Webhooks"],
          security: [],
          requestParams: { header: headers },
          requestBody: {
            required: true,
            content: { "application/json": { schema: eventSchema(type), example: eventExample(type) } },
          },
          responses: {
            "2XX": { description: "Accepted. Anything else is tried again." },
            "410": { description: "Gone: the webhook is disabled." },
          },
        },
      },
    ]),
  );

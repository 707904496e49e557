import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { Page } from "@/lib/ledger/model/movements";
import { type Activity, AUDIT_ENTITIES } from "./model";

/** GET activity. Both days are Asia/Qatar days and are included; format=csv answers a file without pages. */
const activityQuery = {
  ...same("cursor", "limit", "kind", "from", "to", "format"),
  actor: "actorId",
  customer: "customerId",
  merchant: "merchantId",
} as const;

const values = z.record(z.string(), z.unknown()).nullable();
const activity = z.object({
  _id: z.string(),
  dCreatedAt: z.iso.datetime(),
  /** The kind of the action is its part before the dot. */
  sAction: z.string(),
  actor: z.object({
    eType: z.enum(["user", "administrator", "apiKey", "cardHolder", "system", "stranger"]),
    _id: z.string().nullable(),
    sName: z.string().nullable(),
  }),
  merchant: merchantRef.schema.nullable(),
  record: z.object({
    eType: z.enum(AUDIT_ENTITIES),
    _id: z.string().nullable(),
    sName: z.string().nullable(),
  }),
  /** Null where nothing was recorded, or the customer was erased. */
  oBefore: values,
  oAfter: values,
  sAddress: z.string().nullable(),
  sDevice: z.string().nullable(),
});

function activityFrom(from: Activity, to: Writer): z.output<typeof activity> {
  const { actor, merchant } = from;
  return {
    _id: from.id,
    dCreatedAt: from.createdAt.toISOString(),
    sAction: from.action,
    actor: { eType: actor.type, _id: actor.id, sName: actor.name },
    merchant: merchant && merchantRef.from(merchant, to),
    record: { eType: from.entity, _id: from.entityId, sName: from.entityName },
    oBefore: from.before,
    oAfter: from.after,
    sAddress: from.address,
    sDevice: from.device,
  };
}

const activityReply = {
  schema: z.object({ results: z.array(activity), nextCursor: z.string().nullable() }),
  from: (report: { page: Page<Activity> } | object, to: Writer) =>
    "page" in report
      ? {
          results: report.page.results.map((one) => activityFrom(one, to)),
          nextCursor: report.page.nextCursor,
        }
      : { results: [], nextCursor: null },
};

/** The calls of activity, as both sides know them. */
export const activityCalls = {
  activityReport: { method: "GET", path: "activity", query: activityQuery, reply: activityReply },
} as const;

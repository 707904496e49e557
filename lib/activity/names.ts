import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { computed, fields, instant, nullable, pageOf } from "@/lib/calls/codec";
import { merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { Page } from "@/lib/ledger/model/movements";
import { ACTOR_KINDS, type Activity, AUDIT_ENTITIES } from "./model";

/** GET activity. Both days are Asia/Qatar days and are included; format=csv answers a file without pages. */
const activityQuery = {
  ...same("cursor", "limit", "kind", "from", "to", "format"),
  actor: "actorId",
  customer: "customerId",
  merchant: "merchantId",
} as const;

const text = z.string().nullable();
const values = z.record(z.string(), z.unknown()).nullable();
const activity = fields({
  _id: ["id", z.string()],
  dCreatedAt: ["createdAt", instant],
  /** The kind of the action is its part before the dot. */
  sAction: ["action", z.string()],
  actor: [
    "actor",
    fields({ eType: ["type", z.enum(ACTOR_KINDS)], _id: ["id", text], sName: ["name", text] }),
  ],
  merchant: ["merchant", nullable(merchantRef)],
  record: [
    "record",
    computed(
      z.object({ eType: z.enum(AUDIT_ENTITIES), _id: text, sName: text }),
      ({ entity, entityId, entityName }: Activity) => ({ eType: entity, _id: entityId, sName: entityName }),
    ),
  ],
  /** Null where nothing was recorded, or the customer was erased. */
  oBefore: ["before", values],
  oAfter: ["after", values],
  sAddress: ["address", text],
  sDevice: ["device", text],
});

const page = pageOf(activity);
const activityReply = {
  schema: page.schema,
  from: (report: { page: Page<Activity> }, to: Writer) => page.from(report.page, to),
};

export const activityCalls = {
  activityReport: { method: "GET", path: "activity", query: activityQuery, reply: activityReply },
} as const;

import { z } from "zod";
import { merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import type { Page } from "@/lib/ledger/model/movements";
import { NOTICE_KINDS, type Notice } from "@/lib/notices/model";
import type { Activity } from "./model";

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
  merchant: merchantRefShape.nullable(),
  record: z.object({
    eType: z.enum(["branch", "customer", "merchant", "platform", "till", "user"]),
    _id: z.string().nullable(),
    sName: z.string().nullable(),
  }),
  /** Null where nothing was recorded, or the customer was erased. */
  oBefore: values,
  oAfter: values,
  sAddress: z.string().nullable(),
  sDevice: z.string().nullable(),
});

function activityFrom(from: Activity): z.output<typeof activity> {
  const { actor, merchant } = from;
  return {
    _id: from.id,
    dCreatedAt: from.createdAt.toISOString(),
    sAction: from.action,
    actor: { eType: actor.type, _id: actor.id, sName: actor.name },
    merchant: merchant && merchantRefFrom(merchant),
    record: { eType: from.entity, _id: from.entityId, sName: from.entityName },
    oBefore: from.before,
    oAfter: from.after,
    sAddress: from.address,
    sDevice: from.device,
  };
}

const activityReply = {
  schema: z.object({ results: z.array(activity), nextCursor: z.string().nullable() }),
  from: (report: { page: Page<Activity> } | object) =>
    "page" in report
      ? { results: report.page.results.map(activityFrom), nextCursor: report.page.nextCursor }
      : { results: [], nextCursor: null },
};

const noticesQuery = same("cursor", "limit");
const seenBody = { dSeenTo: "until" } as const;

const name = z.string().nullable();

const notice = z.object({
  _id: z.string(),
  eKind: z.enum(NOTICE_KINDS),
  dCreatedAt: z.iso.datetime(),
  bUnread: z.boolean(),
  /** Points, dirhams or a count, by the kind. */
  iAmount: z.number().nullable(),
  /** The transaction or the shift. */
  sRecordId: z.string().nullable(),
  customer: z.object({ _id: shownIdSchema, sFullName: name }).nullable(),
  merchant: z.object({ _id: z.string(), sBusinessName: name, sBusinessNameAr: name }).nullable(),
  sStaffName: z.string().nullable(),
  sTillName: z.string().nullable(),
});

function noticeFrom(from: Notice): z.output<typeof notice> {
  return {
    _id: from.id,
    eKind: from.kind,
    dCreatedAt: from.createdAt.toISOString(),
    bUnread: from.unread,
    iAmount: from.amount,
    sRecordId: from.recordId,
    customer: from.customerId ? { _id: from.customerId, sFullName: from.customerName } : null,
    merchant: from.merchantId
      ? { _id: from.merchantId, sBusinessName: from.merchantName, sBusinessNameAr: from.merchantNameAr }
      : null,
    sStaffName: from.personName,
    sTillName: from.tillName,
  };
}

const noticesReply = {
  schema: z.object({
    results: z.array(notice),
    nextCursor: z.string().nullable(),
    /** At most 100. The number 100 means 100 or more. */
    iUnread: z.number().int(),
  }),
  from: ({ results, nextCursor, unread }: Page<Notice> & { unread: number }) => ({
    results: results.map(noticeFrom),
    nextCursor,
    iUnread: unread,
  }),
};

const seenReply = {
  schema: z.object({ iUnread: z.number().int() }),
  from: ({ unread }: { unread: number }) => ({ iUnread: unread }),
};

/** The calls of activity, as both sides know them. */
export const activityCalls = {
  activityReport: { method: "GET", path: "activity", query: activityQuery, reply: activityReply },
  readNotices: { method: "GET", path: "notices", query: noticesQuery, reply: noticesReply },
  markNotices: { method: "PUT", path: "notices/seen", body: seenBody, reply: seenReply },
} as const;

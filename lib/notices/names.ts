import { z } from "zod";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import type { Page } from "@/lib/ledger/model/movements";
import { NOTICE_KINDS, type Notice } from "./model";

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

/** The calls of notices, as both sides know them. */
export const noticeCalls = {
  readNotices: { method: "GET", path: "notices", query: noticesQuery, reply: noticesReply },
  markNotices: { method: "PUT", path: "notices/seen", body: seenBody, reply: seenReply },
} as const;

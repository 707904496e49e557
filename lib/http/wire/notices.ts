import { z } from "zod";
import type { Page } from "@/lib/domain/movements";
import { NOTICE_KINDS, type Notice } from "@/lib/domain/notices";
import { same } from "./names";

export const noticesQuery = same("cursor", "limit");
export const seenBody = { dSeenTo: "until" } as const;

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
  customer: z.object({ _id: z.string(), sFullName: name }).nullable(),
  merchant: z.object({ _id: z.string(), sBusinessName: name, sBusinessNameAr: name }).nullable(),
  sStaffName: z.string().nullable(),
  sTillName: z.string().nullable(),
});

function toWire(from: Notice): z.output<typeof notice> {
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

export const noticesReply = {
  schema: z.object({
    results: z.array(notice),
    nextCursor: z.string().nullable(),
    /** At most 100, which stands for more as well. */
    iUnread: z.number().int(),
  }),
  from: ({ results, nextCursor, unread }: Page<Notice> & { unread: number }) => ({
    results: results.map(toWire),
    nextCursor,
    iUnread: unread,
  }),
};

export const seenReply = {
  schema: z.object({ iUnread: z.number().int() }),
  from: ({ unread }: { unread: number }) => ({ iUnread: unread }),
};

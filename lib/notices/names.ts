import { z } from "zod";
import { computed, fields, instant, list } from "@/lib/calls/codec";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import { NOTICE_KINDS, type Notice } from "./model";

const name = z.string().nullable();
const customer = z.object({ _id: shownIdSchema, sFullName: name }).nullable();
const merchant = z.object({ _id: z.string(), sBusinessName: name, sBusinessNameAr: name }).nullable();

const notice = fields({
  _id: ["id", z.string()],
  eKind: ["kind", z.enum(NOTICE_KINDS)],
  dCreatedAt: ["createdAt", instant],
  bUnread: ["unread", z.boolean()],
  /** Points, dirhams or a count, by the kind. */
  iAmount: ["amount", z.number().nullable()],
  /** The transaction, the shift or the change that waits. */
  sRecordId: ["recordId", name],
  customer: [
    "customer",
    computed(customer, ({ customerId, customerName }: Notice) =>
      customerId ? { _id: customerId, sFullName: customerName } : null,
    ),
  ],
  merchant: [
    "merchant",
    computed(merchant, ({ merchantId, merchantName, merchantNameAr }: Notice) =>
      merchantId ? { _id: merchantId, sBusinessName: merchantName, sBusinessNameAr: merchantNameAr } : null,
    ),
  ],
  sStaffName: ["personName", name],
  sTillName: ["tillName", name],
});

/** At most 100. The number 100 means 100 or more. */
const unread = { iUnread: ["unread", z.number().int()] } as const;

export const noticeCalls = {
  readNotices: {
    method: "GET",
    path: "notices",
    query: same("cursor", "limit"),
    reply: fields({ results: ["results", list(notice)], nextCursor: ["nextCursor", name], ...unread }),
  },
  markNotices: {
    method: "PUT",
    path: "notices/seen",
    body: { dSeenTo: "until" },
    reply: fields(unread),
  },
} as const;

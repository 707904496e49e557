import { z } from "zod";
import { computed, fields, instant, list } from "@/lib/calls/codec";
import { customerParams } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { MerchantRef } from "@/lib/domain/localized-names";
import { heldFields } from "@/lib/ledger/names";
import { shownIdSchema } from "./model/customer-id";
import { type Covered, CUSTOMER_STATUSES } from "./model/customers";

const listedFields = {
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  /** The Customer ID that people read, such as "K7M2QD"; null until an old card has one. */
  sCode: ["code", z.string().nullable()],
  sFullName: ["fullName", z.string()],
  sEmail: ["email", z.string().nullable()],
  sPhoneNumber: ["phone", z.string().nullable()],
  /** The points that can be spent, without bonus that has ended; held ones included. */
  ...heldFields,
  /** In QAR with two decimals. */
  sCashValue: ["cashValue", z.string()],
  eStatus: ["status", z.enum(CUSTOMER_STATUSES)],
  /** The card carries an e-mail or phone of the merchant's staff, or one that they had. */
  bHeldByStaff: ["heldByStaff", z.boolean()],
  dRegisteredAt: ["registeredAt", instant],
  iMerchantId: ["merchantId", computed(z.string(), ({ merchant }: { merchant: MerchantRef }) => merchant.id)],
} as const;
const listed = fields(listedFields);
/** `heldValue`: the value of `held` in QAR. */
export type ListedCustomer = Parameters<typeof listed.from>[0] & { heldValue: string };

/** `dateOfBirth`: YYYY-MM-DD. `movements`: without reversals, as in the totals of the transactions. */
export type CustomerProfile = ListedCustomer & { dateOfBirth: string | null; movements: number };

/** `total` is at most MAX_SEARCH_COUNT for a search; `covered` is set where the list did not look at everything. */
export type CustomerList = {
  customers: ListedCustomer[];
  total: number;
  nextCursor: string | null;
  covered: Covered | null;
};

export const customerCalls = {
  editCustomer: {
    method: "PUT",
    path: "customer-management/{id}",
    params: customerParams,
    body: {
      sFullName: "fullName",
      sPhoneNumber: "phone",
      dDateOfBirth: "dateOfBirth",
      sEmail: "email",
      eStatus: "status",
    },
    reply: fields({ ...listedFields, dDateOfBirth: ["dateOfBirth", z.string().nullable()] }),
  },
  blockCustomers: {
    method: "POST",
    path: "customer-management/block",
    body: { aCustomerIds: "customerIds", eStatus: "status", sReason: "reason" },
    reply: fields({ iChanged: ["changed", z.number().int()], iLeft: ["left", z.number().int()] }),
  },
  listCustomers: {
    method: "GET",
    path: "customer-management",
    query: {
      ...same("search", "page", "limit", "cursor", "sort"),
      iMerchantId: "merchantId",
      eStatus: "status",
    },
    reply: fields({
      customers: ["customers", list(listed)],
      total: ["total", z.number().int()],
      nextCursor: ["nextCursor", z.string().nullable()],
    }),
  },
} as const;

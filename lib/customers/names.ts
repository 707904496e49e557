import { z } from "zod";
import { customerParams } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { heldFrom, heldShape } from "@/lib/ledger/names";
import { shownIdSchema } from "./model/customer-id";
import {
  type BlockedMany,
  CUSTOMER_STATUSES,
  type CustomerList,
  type CustomerProfile,
} from "./model/customers";

const listed = z.object({
  _id: shownIdSchema,
  sUUID: z.string(),
  /** The Customer ID that people read, such as "K7M2QD"; null until an old card has one. */
  sCode: z.string().nullable(),
  sFullName: z.string(),
  sEmail: z.string().nullable(),
  sPhoneNumber: z.string().nullable(),
  sBalance: z.number(),
  ...heldShape,
  sCashValue: z.string(),
  eStatus: z.enum(CUSTOMER_STATUSES),
  /** The card carries an e-mail or phone of the merchant's staff, or one that they had. */
  bHeldByStaff: z.boolean(),
  dRegisteredAt: z.iso.datetime(),
  iMerchantId: z.string(),
});

function listedFrom(customer: CustomerList["customers"][number]): z.output<typeof listed> {
  return {
    _id: customer.id,
    sUUID: customer.publicId,
    sCode: customer.code,
    sFullName: customer.fullName,
    sEmail: customer.email,
    sPhoneNumber: customer.phone,
    sBalance: customer.balance,
    ...heldFrom(customer.balance, customer.held),
    sCashValue: customer.cashValue,
    eStatus: customer.status,
    bHeldByStaff: customer.heldByStaff,
    dRegisteredAt: customer.registeredAt.toISOString(),
    iMerchantId: customer.merchant.id,
  };
}

/** GET customer-management. A minus before the field of `sort` sorts in descending order. */
const listCustomersQuery = {
  ...same("search", "page", "limit", "cursor", "sort"),
  iMerchantId: "merchantId",
  eStatus: "status",
} as const;
const customersReply = {
  schema: z.object({
    customers: z.array(listed),
    total: z.number().int(),
    nextCursor: z.string().nullable(),
  }),
  from: ({ customers, total, nextCursor }: CustomerList) => ({
    customers: customers.map(listedFrom),
    total,
    nextCursor,
  }),
};

/** PUT customer-management/{id}. */
const editCustomerWire = {
  sFullName: "fullName",
  sPhoneNumber: "phone",
  dDateOfBirth: "dateOfBirth",
  sEmail: "email",
  eStatus: "status",
} as const;
const customerReply = {
  schema: listed.extend({ dDateOfBirth: z.string().nullable() }),
  from: (customer: CustomerProfile) => ({
    ...listedFrom(customer),
    dDateOfBirth: customer.dateOfBirth,
  }),
};

/** POST customer-management/block. */
const blockCustomersWire = {
  aCustomerIds: "customerIds",
  eStatus: "status",
  sReason: "reason",
} as const;
const blockCustomersReply = {
  schema: z.object({ iChanged: z.number().int(), iLeft: z.number().int() }),
  from: ({ changed, left }: BlockedMany) => ({ iChanged: changed, iLeft: left }),
};

/** The calls of customers, as both sides know them. */
export const customerCalls = {
  editCustomer: {
    method: "PUT",
    path: "customer-management/{id}",
    params: customerParams,
    body: editCustomerWire,
    reply: customerReply,
  },
  blockCustomers: {
    method: "POST",
    path: "customer-management/block",
    body: blockCustomersWire,
    reply: blockCustomersReply,
  },
  listCustomers: {
    method: "GET",
    path: "customer-management",
    query: listCustomersQuery,
    reply: customersReply,
  },
} as const;

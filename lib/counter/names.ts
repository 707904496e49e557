import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import { customerParams, existsReply, merchantNamesFrom, merchantNamesShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { CustomerHit, FoundCustomer, ServedCustomer } from "@/lib/domain/counter";
import { shownIdSchema } from "@/lib/domain/customer-id";
import { CUSTOMER_STATUSES } from "@/lib/domain/customers";
import { TENDERS } from "@/lib/domain/tender";
import { pocketsShape, toPocketsWire } from "@/lib/ledger/names";

const foundShape = z.object({
  _id: shownIdSchema,
  sUUID: z.string(),
  sFullName: z.string(),
  sEmail: z.string().nullable(),
  sPhoneNumber: z.string().nullable(),
  sBalance: z.number(),
  /** In QAR with two decimals. */
  sCashValue: z.string(),
});
export type FoundCustomerWire = z.infer<typeof foundShape>;
const hitShape = foundShape.extend(merchantNamesShape.shape);
export type CustomerHitWire = z.infer<typeof hitShape>;

function toFoundWire(customer: FoundCustomer): FoundCustomerWire {
  return {
    _id: customer.id,
    sUUID: customer.publicId,
    sFullName: customer.fullName,
    sEmail: customer.email,
    sPhoneNumber: customer.phone,
    sBalance: customer.balance,
    sCashValue: customer.cashValue,
  };
}

const merchantShape = z.object({
  _id: z.string(),
  ...merchantNamesShape.shape,
  sBusinessImage: z.string().nullable(),
  sFirstName: z.string(),
  sLastName: z.string(),
  branches: z.array(z.object({ _id: z.string(), sBranchName: z.string(), sCity: z.string() })),
  aTenders: z.array(z.enum(TENDERS)),
  bAskSaleRef: z.boolean(),
  bSuspended: z.boolean(),
});

function toMerchantWire(merchant: ServedCustomer["merchant"], to: Writer): z.infer<typeof merchantShape> {
  return {
    _id: merchant.id,
    ...merchantNamesFrom(merchant),
    sBusinessImage: to.imageUrl(merchant.imageKey),
    sFirstName: merchant.firstName,
    sLastName: merchant.lastName,
    branches: merchant.branches.map(({ id, name, city }) => ({ _id: id, sBranchName: name, sCity: city })),
    aTenders: merchant.tenders,
    bAskSaleRef: merchant.askSaleRef,
    bSuspended: merchant.suspended,
  };
}

/** GET top-up-points/search-customers. */
const searchQuery = same("search");
const searchReply = {
  schema: z.array(hitShape),
  from: (customers: CustomerHit[]) =>
    customers.map((customer) => ({ ...toFoundWire(customer), ...merchantNamesFrom(customer) })),
};

/** GET customer-management/view/{id}: `at` is an instant, ISO 8601. */
const viewQuery = same("at");
const viewShape = foundShape.extend({
  /** The printed QR as a data URL. It identifies the customer without granting access. */
  sQRCode: z.string(),
  dRegisteredAt: z.string(),
  dDateOfBirth: z.string().nullable(),
  eStatus: z.enum(CUSTOMER_STATUSES),
  iDirhamsPerPoint: z.number(),
  /**
   * Of a top-up, and of the balance after it, in points; iUnconfirmedRedeem is how much more can be redeemed today without
   * sProof.
   */
  oLimits: z.object({
    iMinTopup: z.number().int(),
    iMaxTopup: z.number().int(),
    iMaxBalance: z.number().int(),
    iUnconfirmedRedeem: z.number().int(),
  }),
  /** Not for workers. */
  bHeldByStaff: z.boolean().optional(),
  oPockets: pocketsShape,
  iMerchantId: merchantShape,
});
export type ViewedCustomerWire = z.infer<typeof viewShape>;
const viewReply = {
  schema: viewShape,
  from: (
    customer: ServedCustomer & { qrCode: string; heldByStaff?: boolean },
    to: Writer,
  ): ViewedCustomerWire => ({
    ...toFoundWire(customer),
    sQRCode: customer.qrCode,
    dRegisteredAt: customer.registeredAt.toISOString(),
    dDateOfBirth: customer.dateOfBirth,
    eStatus: customer.status,
    iDirhamsPerPoint: customer.rate,
    oLimits: {
      iMinTopup: customer.limits.minTopUp,
      iMaxTopup: customer.limits.maxTopUp,
      iMaxBalance: customer.limits.maxBalance,
      iUnconfirmedRedeem: customer.limits.unconfirmed,
    },
    ...(customer.heldByStaff === undefined ? {} : { bHeldByStaff: customer.heldByStaff }),
    oPockets: toPocketsWire(customer.pockets),
    iMerchantId: toMerchantWire(customer.merchant, to),
  }),
};

/** POST customers/exists. */
const existsWire = same("customerId", "merchantId", "adminId");

/** POST merchants-customer. */
const merchantsCustomerWire = { sEmail: "email" } as const;
const merchantsCustomerReply = {
  schema: z.object({ merchants: z.array(merchantShape) }),
  from: (merchants: ServedCustomer["merchant"][], to: Writer) => ({
    merchants: merchants.map((merchant) => toMerchantWire(merchant, to)),
  }),
};

/** POST redeem-points/code. */
const redeemCodeWire = { customerId: "customerId", sPoints: "points" } as const;
const redeemCodeReply = {
  schema: z.object({ sSentTo: z.string(), iSeconds: z.number().int() }),
  from: ({ sentTo, seconds }: { sentTo: string; seconds: number }) => ({
    sSentTo: sentTo,
    iSeconds: seconds,
  }),
};

/** The calls of the counter, as both sides know them. */
export const counterCalls = {
  viewCustomer: {
    method: "GET",
    path: "customer-management/view/{id}",
    params: customerParams,
    query: viewQuery,
    reply: viewReply,
  },
  customerAssociation: { method: "POST", path: "customers/exists", body: existsWire, reply: existsReply },
  merchantsOfCustomer: {
    method: "POST",
    path: "merchants-customer",
    body: merchantsCustomerWire,
    reply: merchantsCustomerReply,
  },
  sendRedeemCode: {
    method: "POST",
    path: "redeem-points/code",
    body: redeemCodeWire,
    reply: redeemCodeReply,
  },
  findCustomers: {
    method: "GET",
    path: "top-up-points/search-customers",
    query: searchQuery,
    reply: searchReply,
  },
} as const;

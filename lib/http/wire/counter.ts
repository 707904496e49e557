import { z } from "zod";
import type { CustomerHit, FoundCustomer, ServedCustomer } from "@/lib/domain/counter";
import { CUSTOMER_STATUSES } from "@/lib/domain/customers";
import { TENDERS } from "@/lib/domain/tender";
import { imageUrl } from "./media";
import { merchantNamesFrom, merchantNamesShape } from "./merchant-ref";
import { pocketsShape, toPocketsWire } from "./money";
import { same } from "./names";

const foundShape = z.object({
  _id: z.string(),
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

function toMerchantWire(merchant: ServedCustomer["merchant"]): z.infer<typeof merchantShape> {
  return {
    _id: merchant.id,
    ...merchantNamesFrom(merchant),
    sBusinessImage: imageUrl(merchant.imageKey),
    sFirstName: merchant.firstName,
    sLastName: merchant.lastName,
    branches: merchant.branches.map(({ id, name, city }) => ({ _id: id, sBranchName: name, sCity: city })),
    aTenders: merchant.tenders,
    bAskSaleRef: merchant.askSaleRef,
    bSuspended: merchant.suspended,
  };
}

/** GET top-up-points/search-customers. */
export const searchQuery = same("search");
export const searchReply = {
  schema: z.array(hitShape),
  from: (customers: CustomerHit[]) =>
    customers.map((customer) => ({ ...toFoundWire(customer), ...merchantNamesFrom(customer) })),
};

/** GET customer-management/view/{id}: `at` is an instant, ISO 8601. */
export const viewQuery = same("at");
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
export const viewReply = {
  schema: viewShape,
  from: (customer: ServedCustomer & { qrCode: string; heldByStaff?: boolean }): ViewedCustomerWire => ({
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
    iMerchantId: toMerchantWire(customer.merchant),
  }),
};

/** POST customers/exists. */
export const existsWire = same("customerId", "merchantId", "adminId");
export const existsReply = {
  schema: z.object({ exists: z.boolean() }),
  from: (answer: { exists: boolean }) => answer,
};

/** POST merchants-customer. */
export const merchantsCustomerWire = { sEmail: "email" } as const;
export const merchantsCustomerReply = {
  schema: z.object({ merchants: z.array(merchantShape) }),
  from: (merchants: ServedCustomer["merchant"][]) => ({ merchants: merchants.map(toMerchantWire) }),
};

/** POST redeem-points/code. */
export const redeemCodeWire = { customerId: "customerId", sPoints: "points" } as const;
export const redeemCodeReply = {
  schema: z.object({ sSentTo: z.string(), iSeconds: z.number().int() }),
  from: ({ sentTo, seconds }: { sentTo: string; seconds: number }) => ({
    sSentTo: sentTo,
    iSeconds: seconds,
  }),
};

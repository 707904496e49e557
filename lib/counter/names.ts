import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import { computed, fields, instant, list, optional } from "@/lib/calls/codec";
import { customerParams, existsReply, merchantNamesFields } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type {
  findCustomersSchema,
  redeemCodeSchema,
  ServedCustomer,
  viewCustomerSchema,
} from "@/lib/domain/counter";
import { shownIdSchema } from "@/lib/domain/customer-id";
import { CUSTOMER_STATUSES } from "@/lib/domain/customers";
import { TENDERS } from "@/lib/domain/tender";
import { pocketsCodec } from "@/lib/ledger/names";

const foundFields = {
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  sFullName: ["fullName", z.string()],
  sEmail: ["email", z.string().nullable()],
  sPhoneNumber: ["phone", z.string().nullable()],
  sBalance: ["balance", z.number()],
  /** In QAR with two decimals. */
  sCashValue: ["cashValue", z.string()],
} as const;

const merchant = fields({
  _id: ["id", z.string()],
  ...merchantNamesFields,
  sBusinessImage: [
    "imageUrl",
    computed(z.string().nullable(), ({ imageKey }: ServedCustomer["merchant"], to) => to.imageUrl(imageKey)),
  ],
  sFirstName: ["firstName", z.string()],
  sLastName: ["lastName", z.string()],
  branches: [
    "branches",
    list(fields({ _id: ["id", z.string()], sBranchName: ["name", z.string()], sCity: ["city", z.string()] })),
  ],
  aTenders: ["tenders", z.array(z.enum(TENDERS))],
  bAskSaleRef: ["askSaleRef", z.boolean()],
  bSuspended: ["suspended", z.boolean()],
});

/** GET top-up-points/search-customers. */
const searchQuery = same("search");
const searchReply = list(fields({ ...foundFields, ...merchantNamesFields }));

/** GET customer-management/view/{id}: `at` is an instant, ISO 8601. */
const viewQuery = same("at");
const viewReply = fields({
  ...foundFields,
  /** The printed QR as a data URL. It identifies the customer without granting access. */
  sQRCode: ["qrCode", z.string()],
  dRegisteredAt: ["registeredAt", { ...instant, schema: z.string() }],
  dDateOfBirth: ["dateOfBirth", z.string().nullable()],
  eStatus: ["status", z.enum(CUSTOMER_STATUSES)],
  iDirhamsPerPoint: ["rate", z.number()],
  /**
   * Of a top-up, and of the balance after it, in points; iUnconfirmedRedeem is how much more can be redeemed today without
   * sProof.
   */
  oLimits: [
    "limits",
    fields({
      iMinTopup: ["minTopUp", z.number().int()],
      iMaxTopup: ["maxTopUp", z.number().int()],
      iMaxBalance: ["maxBalance", z.number().int()],
      iUnconfirmedRedeem: ["unconfirmed", z.number().int()],
    }),
  ],
  /** Not for workers. */
  bHeldByStaff: ["heldByStaff", optional(z.boolean())],
  oPockets: ["pockets", pocketsCodec],
  iMerchantId: ["merchant", merchant],
});

/** POST customers/exists. */
const existsWire = same("customerId", "merchantId", "adminId");

/** POST merchants-customer. */
const merchantsCustomerWire = { sEmail: "email" } as const;
const merchantsCustomerReply = {
  schema: z.object({ merchants: z.array(merchant.schema) }),
  from: (merchants: ServedCustomer["merchant"][], to: Writer) => ({
    merchants: merchants.map((one) => merchant.from(one, to)),
  }),
};

/** POST redeem-points/code. */
const redeemCodeWire = { customerId: "customerId", sPoints: "points" } as const;
const redeemCodeReply = fields({
  sSentTo: ["sentTo", z.string()],
  iSeconds: ["seconds", z.number().int()],
});

/** The calls of the counter, as both sides know them. */
export const counterCalls = {
  viewCustomer: {
    method: "GET",
    path: "customer-management/view/{id}",
    params: customerParams,
    query: viewQuery,
    reply: viewReply,
    input: sends<z.input<typeof viewCustomerSchema>>(),
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
    input: sends<z.input<typeof redeemCodeSchema>>(),
  },
  findCustomers: {
    method: "GET",
    path: "top-up-points/search-customers",
    query: searchQuery,
    reply: searchReply,
    input: sends<z.input<typeof findCustomersSchema>>(),
  },
} as const;

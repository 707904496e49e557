import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import { computed, fields, instant, list, optional } from "@/lib/calls/codec";
import { branchRefFields, customerParams, existsReply, merchantNamesFields } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import { CUSTOMER_STATUSES } from "@/lib/customers/model/customers";
import { TENDERS } from "@/lib/ledger/model/tender";
import { heldFields, pocketsCodec } from "@/lib/ledger/names";
import type {
  findCardSchema,
  findCustomersSchema,
  redeemCodeSchema,
  ServedCustomer,
  viewCustomerSchema,
} from "./model/counter";
import type { PanelHits } from "./model/panel-search";

const panelSearchQuery = same("search");

const place = { _id: z.string(), sName: z.string(), sDetail: z.string().nullable() };
const nameAr = { sBusinessNameAr: z.string().nullable() };
const ofMerchant = { ...place, sBusinessName: z.string(), ...nameAr };

type Place = { id: string; name: string; detail: string | null };
const toPlace = ({ id, name, detail }: Place) => ({ _id: id, sName: name, sDetail: detail });
const toOfMerchant = (hit: Place & { merchantName: string; merchantNameAr: string | null }) => ({
  ...toPlace(hit),
  sBusinessName: hit.merchantName,
  sBusinessNameAr: hit.merchantNameAr,
});

/** The hits of each kind, without those that the caller's role does not read. */
const panelSearchReply = {
  schema: z.object({
    customers: z.array(z.object({ ...ofMerchant, _id: shownIdSchema, sUUID: z.string() })),
    transactions: z.array(
      z.object({
        _id: z.string(),
        eType: z.string(),
        sPoints: z.number().int(),
        sSaleRef: z.string().nullable(),
        sName: z.string(),
        dCreatedAt: z.iso.datetime(),
      }),
    ),
    branches: z.array(z.object(ofMerchant)),
    workers: z.array(z.object(ofMerchant)),
    merchants: z.array(z.object({ ...place, ...nameAr })),
  }),
  from: (hits: PanelHits) => ({
    customers: hits.customers.map((hit) => ({ ...toOfMerchant(hit), _id: hit.id, sUUID: hit.publicId })),
    transactions: hits.transactions.map((hit) => ({
      _id: hit.id,
      eType: hit.type,
      sPoints: hit.points,
      sSaleRef: hit.saleRef,
      sName: hit.name,
      dCreatedAt: hit.createdAt.toISOString(),
    })),
    branches: hits.branches.map(toOfMerchant),
    workers: hits.workers.map(toOfMerchant),
    merchants: hits.merchants.map((hit) => ({ ...toPlace(hit), sBusinessNameAr: hit.merchantNameAr })),
  }),
};

/** The calls of the search, as both sides know them. */
export const searchCalls = {
  searchPanel: { method: "GET", path: "search", query: panelSearchQuery, reply: panelSearchReply },
} as const;

const foundFields = {
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  sFullName: ["fullName", z.string()],
  sEmail: ["email", z.string().nullable()],
  sPhoneNumber: ["phone", z.string().nullable()],
  ...heldFields,
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
  branches: ["branches", list(fields({ ...branchRefFields, sCity: ["city", z.string()] }))],
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

/** POST customers/find: sCode is the text of a card's QR code, printed or live. */
const findCardWire = { sCode: "code", sPhoneNumber: "phone", sEmail: "email" } as const;
const foundCardReply = fields({
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  sFullName: ["fullName", z.string()],
  sEmail: ["email", z.string().nullable()],
  sPhoneNumber: ["phone", z.string().nullable()],
  ...heldFields,
  eStatus: ["status", z.enum(CUSTOMER_STATUSES)],
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
  findCard: {
    method: "POST",
    path: "customers/find",
    body: findCardWire,
    reply: foundCardReply,
    input: sends<z.input<typeof findCardSchema>>(),
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

import { z } from "zod";
import { sends, type Writer } from "@/lib/calls/bind";
import { fields, instant, list, optional } from "@/lib/calls/codec";
import {
  branchRefFields,
  customerParams,
  existsReply,
  imageUrlOf,
  merchantNamesFields,
  personNameFields,
} from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import { shownIdSchema } from "@/lib/customers/model/customer-id";
import { CUSTOMER_STATUSES } from "@/lib/customers/model/customers";
import { TENDERS } from "@/lib/ledger/model/tender";
import { heldFields, pocketsCodec } from "@/lib/ledger/names";
import type { findCustomersSchema, redeemCodeSchema, viewCustomerSchema } from "./model/counter";

const place = {
  _id: ["id", z.string()],
  sName: ["name", z.string()],
  sDetail: ["detail", z.string().nullable()],
} as const;
const nameAr = { sBusinessNameAr: ["merchantNameAr", z.string().nullable()] } as const;
const ofMerchant = { ...place, sBusinessName: ["merchantName", z.string()], ...nameAr } as const;

const personFields = {
  _id: ["id", shownIdSchema],
  sUUID: ["publicId", z.string()],
  sFullName: ["fullName", z.string()],
  sEmail: ["email", z.string().nullable()],
  sPhoneNumber: ["phone", z.string().nullable()],
  ...heldFields,
} as const;
const cardReply = fields({ ...personFields, eStatus: ["status", z.enum(CUSTOMER_STATUSES)] });
export type FoundCard = Parameters<typeof cardReply.from>[0];

/** sCashValue is in QAR with two decimals. */
const foundFields = { ...personFields, sCashValue: ["cashValue", z.string()] } as const;

const hits = list(fields({ ...foundFields, ...merchantNamesFields }));
export type CustomerHit = Parameters<typeof hits.from>[0][number];

const merchant = fields({
  _id: ["id", z.string()],
  ...merchantNamesFields,
  sBusinessImage: ["imageUrl", imageUrlOf],
  ...personNameFields,
  branches: ["branches", list(fields({ ...branchRefFields, sCity: ["city", z.string()] }))],
  aTenders: ["tenders", z.array(z.enum(TENDERS))],
  bAskSaleRef: ["askSaleRef", z.boolean()],
  /** Nothing can be posted for its customers. */
  bSuspended: ["suspended", z.boolean()],
});

const viewReply = fields({
  ...foundFields,
  /** The printed QR as a data URL. It identifies the customer without granting access. */
  sQRCode: ["qrCode", z.string()],
  dRegisteredAt: ["registeredAt", { ...instant, schema: z.string() }],
  dDateOfBirth: ["dateOfBirth", z.string().nullable()],
  eStatus: ["status", z.enum(CUSTOMER_STATUSES)],
  /** The value of a point, in dirhams. */
  iDirhamsPerPoint: ["rate", z.number()],
  /** Of a top-up and the balance after it, in points. iUnconfirmedRedeem can be redeemed today without sProof. */
  oLimits: [
    "limits",
    fields({
      iMinTopup: ["minTopUp", z.number().int()],
      iMaxTopup: ["maxTopUp", z.number().int()],
      iMaxBalance: ["maxBalance", z.number().int()],
      iUnconfirmedRedeem: ["unconfirmed", z.number().int()],
    }),
  ],
  bHeldByStaff: ["heldByStaff", optional(z.boolean())],
  oPockets: ["pockets", pocketsCodec],
  iMerchantId: ["merchant", merchant],
});
/** `heldByStaff` is only for staff who may read customers, which workers may not. */
export type ViewedCustomer = Parameters<typeof viewReply.from>[0];
export type ServedCustomer = Omit<ViewedCustomer, "qrCode" | "heldByStaff">;
export type MerchantChoice = Omit<ServedCustomer["merchant"], "imageKey" | "firstName" | "lastName">;
export type BranchChoice = MerchantChoice["branches"][number];

/** The hits of each kind, without those that the caller's role does not read. */
const panelHits = fields({
  customers: [
    "customers",
    list(fields({ ...ofMerchant, _id: ["id", shownIdSchema], sUUID: ["publicId", z.string()] })),
  ],
  transactions: [
    "transactions",
    list(
      fields({
        _id: ["id", z.string()],
        eType: ["type", z.string()],
        sPoints: ["points", z.number().int()],
        sSaleRef: ["saleRef", z.string().nullable()],
        sName: ["name", z.string()],
        dCreatedAt: ["createdAt", instant],
      }),
    ),
  ],
  branches: ["branches", list(fields(ofMerchant))],
  workers: ["workers", list(fields(ofMerchant))],
  merchants: ["merchants", list(fields({ ...place, ...nameAr }))],
});
/** The results of a panel's search. `detail` distinguishes records with the same name; points are signed. */
export type PanelHits = Parameters<typeof panelHits.from>[0];

export const counterCalls = {
  searchPanel: { method: "GET", path: "search", query: same("search"), reply: panelHits },
  viewCustomer: {
    method: "GET",
    path: "customer-management/view/{id}",
    params: customerParams,
    /** An instant, ISO 8601. */
    query: same("at"),
    reply: viewReply,
    input: sends<z.input<typeof viewCustomerSchema>>(),
  },
  findCard: {
    method: "POST",
    path: "customers/find",
    body: { sCode: "code", sPhoneNumber: "phone", sEmail: "email" },
    reply: cardReply,
  },
  customerAssociation: {
    method: "POST",
    path: "customers/exists",
    body: same("customerId", "merchantId", "adminId"),
    reply: existsReply,
  },
  merchantsOfCustomer: {
    method: "POST",
    path: "merchants-customer",
    body: { sEmail: "email" },
    reply: {
      schema: z.object({ merchants: z.array(merchant.schema) }),
      from: (merchants: ServedCustomer["merchant"][], to: Writer) => ({
        merchants: merchants.map((one) => merchant.from(one, to)),
      }),
    },
  },
  sendRedeemCode: {
    method: "POST",
    path: "redeem-points/code",
    body: { customerId: "customerId", sPoints: "points" },
    reply: fields({ sSentTo: ["sentTo", z.string()], iSeconds: ["seconds", z.number().int()] }),
    input: sends<z.input<typeof redeemCodeSchema>>(),
  },
  findCustomers: {
    method: "GET",
    path: "top-up-points/search-customers",
    query: same("search"),
    reply: hits,
    input: sends<z.input<typeof findCustomersSchema>>(),
  },
} as const;

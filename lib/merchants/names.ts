import { z } from "zod";
import type { Writer } from "@/lib/calls/bind";
import {
  branchRef,
  existsReply,
  idParams,
  merchantNamesFrom,
  merchantNamesShape,
  STATUS_LETTER,
  statusLetter,
} from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { MerchantStatus } from "@/lib/domain/actor";
import type { Page } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import { PAPER_WIDTHS } from "@/lib/receipts/model/receipt";
import type { MerchantDetail, MerchantSummary } from "./model/merchant";
import { type PendingLimit, type SettingsView, SPEND_ORDERS } from "./model/merchant-settings";

const BY_LETTER = { A: "approved", R: "rejected", P: "pending" } as const satisfies Record<
  string,
  MerchantStatus
>;

const summary = z.object({
  _id: z.string(),
  ...merchantNamesShape.shape,
  sBusinessImage: z.string().nullable(),
  sLogo: z.string().nullable(),
  /** The owner's own colour of the cards, such as "#0f5257". */
  sColor: z.string().nullable(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  sPhoneNumber: z.string(),
  eStatus: statusLetter,
  /** The reason for a rejection. */
  sReason: z.string().nullable(),
  bSuspended: z.boolean(),
  sSuspensionReason: z.string().nullable(),
  nBranches: z.number().int(),
  /** 2 and more: the merchant applied again after a rejection. */
  nApplications: z.number().int(),
  dCreatedAt: z.iso.datetime(),
  dDecidedAt: z.iso.datetime().nullable(),
});

function summaryFrom(merchant: MerchantSummary, to: Writer): z.output<typeof summary> {
  return {
    _id: merchant.id,
    ...merchantNamesFrom(merchant),
    sBusinessImage: to.imageUrl(merchant.imageKey),
    sLogo: to.imageUrl(merchant.logoKey),
    sColor: merchant.colour,
    sFirstName: merchant.firstName,
    sLastName: merchant.lastName,
    sEmail: merchant.email,
    sPhoneNumber: merchant.phone,
    eStatus: STATUS_LETTER[merchant.status],
    sReason: merchant.statusReason,
    bSuspended: merchant.suspendedAt !== null,
    sSuspensionReason: merchant.suspensionReason,
    nBranches: merchant.branches,
    nApplications: merchant.applications,
    dCreatedAt: merchant.createdAt.toISOString(),
    dDecidedAt: merchant.decidedAt?.toISOString() ?? null,
  };
}

const merchantsReply = {
  schema: z.object({ results: z.array(summary), nextCursor: z.string().nullable() }),
  from: (page: Page<MerchantSummary>, to: Writer) => ({
    results: page.results.map((merchant) => summaryFrom(merchant, to)),
    nextCursor: page.nextCursor,
  }),
};

const detail = summary.extend({
  sSignupUrl: z.string(),
  sDecidedBy: z.string().nullable(),
  /** Which profile this is: PUT merchants/{id}/approval takes it. */
  iProfileVersion: z.number().int(),
  nWorkers: z.number().int(),
  dAppliedAgainAt: z.iso.datetime().nullable(),
  /** The owner's message with the application. */
  sMessage: z.string().nullable(),
  /** Why the application before this one was rejected. */
  sPreviousReason: z.string().nullable(),
  branches: z.array(branchRef.schema.extend({ sCity: z.string(), bArchived: z.boolean() })),
  aDocuments: z.array(z.object({ _id: z.string(), sFileName: z.string(), sContentType: z.string() })),
});

const merchantReply = {
  schema: detail,
  from: (merchant: MerchantDetail, to: Writer): z.output<typeof detail> => ({
    ...summaryFrom(merchant, to),
    sSignupUrl: to.signupUrl(merchant.publicId),
    sDecidedBy: merchant.decidedBy,
    iProfileVersion: merchant.profileVersion,
    nWorkers: merchant.workers,
    dAppliedAgainAt: merchant.appliedAgainAt?.toISOString() ?? null,
    sMessage: merchant.applicationNote,
    sPreviousReason: merchant.previousReason,
    branches: merchant.firstBranches.map((branch) => ({
      _id: branch.id,
      sBranchName: branch.name,
      sBranchNameAr: branch.nameAr,
      sCity: branch.city,
      bArchived: branch.archived,
    })),
    aDocuments: merchant.documents.map((file) => ({
      _id: file.id,
      sFileName: file.fileName,
      sContentType: file.contentType,
    })),
  }),
};

/** GET merchants. A minus before the field of `sort` sorts in descending order. */
const merchantsWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: { field: "status", values: BY_LETTER },
} as const;

/** PUT merchants/{id}/approval. */
const approvalWire = {
  eStatus: { field: "status", values: { A: "approved", R: "rejected" } },
  sReason: "reason",
  iProfileVersion: "version",
} as const;

/** POST auth/merchant/application. The documents are upload keys. */
const reapplyWire = { sMessage: "note", aDocuments: "documents" } as const;
const reapplyReply = {
  schema: z.object({ eStatus: statusLetter }),
  from: ({ status }: { status: MerchantStatus }) => ({ eStatus: STATUS_LETTER[status] }),
};

/** POST auth/merchant/signup. The images are upload keys. */
const merchantSignUpWire = {
  sBusinessName: "businessName",
  sBusinessNameAr: "businessNameAr",
  sFirstName: "firstName",
  sLastName: "lastName",
  sEmail: "email",
  sPhoneNumber: "phone",
  sPassword: "password",
  sBusinessImage: "image",
  aDocuments: "documents",
  branch: { field: "branch", names: { sBranchName: "name", sCity: "city" } },
} as const;

const signedUpReply = {
  schema: z.object({ _id: z.string(), eStatus: statusLetter }),
  from: ({ id, status }: { id: string; status: MerchantStatus }) => ({
    _id: id,
    eStatus: STATUS_LETTER[status],
  }),
};

const emailExistWire = { sEmail: "email" } as const;

/** PUT merchants/{id}/settings: any of them. Points are whole numbers, iDrawerTolerance is in dirhams. */
const settingsWire = {
  eSpendOrder: "spendOrder",
  iRefundDays: "refundDays",
  bTillRequired: "tillRequired",
  iIdleLockMinutes: "idleLockMinutes",
  iOfflineMaxTopup: "offlineMaxTopUp",
  iOfflineMaxTotal: "offlineMaxTotal",
  iDrawerTolerance: "drawerTolerance",
  iUnprovedWorkerDaily: "unprovedWorkerDaily",
  iRedeemAllowance: "redeemAllowance",
  aTenders: "tenders",
  bAskSaleRef: "askSaleRef",
  iPaperWidth: "paperWidth",
} as const;

const waiting = z.object({
  _id: z.string(),
  dAskedAt: z.iso.datetime(),
  dEffectiveAt: z.iso.datetime(),
  bNeedsApproval: z.boolean(),
  /** The administrator who asked; null for merchants. */
  sAskedBy: z.string().nullable(),
});
const pending = waiting.extend({ iRedeemAllowance: z.number().int() });
const pendingWorker = waiting.extend({ iUnprovedWorkerDaily: z.number().int() });
const waitingFrom = (from: PendingLimit): z.output<typeof waiting> => ({
  _id: from.id,
  dAskedAt: from.askedAt.toISOString(),
  dEffectiveAt: from.effectiveAt.toISOString(),
  bNeedsApproval: from.needsApproval,
  sAskedBy: from.askedBy,
});

const shape = z.object({
  eSpendOrder: z.enum(SPEND_ORDERS),
  iRefundDays: z.number().int(),
  bTillRequired: z.boolean(),
  iIdleLockMinutes: z.number().int(),
  iOfflineMaxTopup: z.number().int(),
  iOfflineMaxTotal: z.number().int(),
  /** In dirhams. */
  iDrawerTolerance: z.number().int(),
  iUnprovedWorkerDaily: z.number().int(),
  iRedeemAllowance: z.number().int(),
  /** The highest iRedeemAllowance that can be set. */
  iRedeemAllowanceCeiling: z.number().int(),
  aTenders: z.array(z.enum(TENDERS)),
  bAskSaleRef: z.boolean(),
  /** The width of the paper of receipts, in millimetres. */
  iPaperWidth: z.union(PAPER_WIDTHS.map((width) => z.literal(width))),
  /** The higher iRedeemAllowance that an administrator asked for, until it takes effect; null without one. */
  oPending: pending.nullable(),
  /** The higher iUnprovedWorkerDaily that an administrator asked for, until it takes effect; null without one. */
  oPendingWorker: pendingWorker.nullable(),
});

const settingsReply = {
  schema: shape,
  from: (settings: SettingsView): z.output<typeof shape> => ({
    eSpendOrder: settings.spendOrder,
    iRefundDays: settings.refundDays,
    bTillRequired: settings.tillRequired,
    iIdleLockMinutes: settings.idleLockMinutes,
    iOfflineMaxTopup: settings.offlineMaxTopUp,
    iOfflineMaxTotal: settings.offlineMaxTotal,
    iDrawerTolerance: settings.drawerTolerance,
    iUnprovedWorkerDaily: settings.unprovedWorkerDaily,
    iRedeemAllowance: settings.redeemAllowance,
    iRedeemAllowanceCeiling: settings.redeemAllowanceCeiling,
    aTenders: settings.tenders,
    bAskSaleRef: settings.askSaleRef,
    iPaperWidth: settings.paperWidth,
    oPending: settings.pending && {
      ...waitingFrom(settings.pending),
      iRedeemAllowance: settings.pending.wanted,
    },
    oPendingWorker: settings.pendingWorker && {
      ...waitingFrom(settings.pendingWorker),
      iUnprovedWorkerDaily: settings.pendingWorker.wanted,
    },
  }),
};

/** PUT merchants/{id}/suspension. */
const suspensionWire = { bSuspended: "suspended", sReason: "reason" } as const;

/** The calls of merchants, as both sides know them. */
export const merchantCalls = {
  reapply: { method: "POST", path: "auth/merchant/application", body: reapplyWire, reply: reapplyReply },
  emailExists: {
    method: "POST",
    path: "auth/merchant/email-exist",
    body: emailExistWire,
    reply: existsReply,
  },
  signUpMerchant: {
    method: "POST",
    path: "auth/merchant/signup",
    body: merchantSignUpWire,
    reply: signedUpReply,
  },
  decideMerchant: {
    method: "PUT",
    path: "merchants/{id}/approval",
    params: idParams,
    body: approvalWire,
    reply: merchantReply,
  },
  getMerchant: { method: "GET", path: "merchants/{id}", params: idParams, reply: merchantReply },
  viewSettings: { method: "GET", path: "merchants/{id}/settings", params: idParams, reply: settingsReply },
  changeSettings: {
    method: "PUT",
    path: "merchants/{id}/settings",
    params: idParams,
    body: settingsWire,
    reply: settingsReply,
  },
  suspendMerchant: {
    method: "PUT",
    path: "merchants/{id}/suspension",
    params: idParams,
    body: suspensionWire,
    reply: merchantReply,
  },
  listMerchants: { method: "GET", path: "merchants", query: merchantsWire, reply: merchantsReply },
} as const;

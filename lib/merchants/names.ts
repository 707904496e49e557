import { z } from "zod";
import { computed, fields, instant, list, namesOf, nullable, pageOf } from "@/lib/calls/codec";
import {
  branchRefFields,
  emailWire,
  existsReply,
  idParams,
  merchantNamesFields,
  STATUS_LETTER,
  statusLetter,
} from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { MerchantStatus } from "@/lib/domain/actor";
import { TENDERS } from "@/lib/ledger/model/tender";
import { PAPER_WIDTHS } from "@/lib/receipts/model/receipt";
import type { MerchantDetail, MerchantSummary } from "./model/merchant";
import { SPEND_ORDERS } from "./model/merchant-settings";

const BY_LETTER = { A: "approved", R: "rejected", P: "pending" } as const satisfies Record<
  string,
  MerchantStatus
>;

const image = z.string().nullable();
const status = {
  schema: statusLetter,
  from: (of: MerchantStatus) => STATUS_LETTER[of],
  view: (letter: keyof typeof BY_LETTER): MerchantStatus => BY_LETTER[letter],
};

const summaryFields = {
  _id: ["id", z.string()],
  ...merchantNamesFields,
  sBusinessImage: ["image", computed(image, ({ imageKey }: MerchantSummary, to) => to.imageUrl(imageKey))],
  sLogo: ["logo", computed(image, ({ logoKey }: MerchantSummary, to) => to.imageUrl(logoKey))],
  sColor: ["colour", z.string().nullable()],
  sFirstName: ["firstName", z.string()],
  sLastName: ["lastName", z.string()],
  sEmail: ["email", z.string()],
  sPhoneNumber: ["phone", z.string()],
  eStatus: ["status", status],
  /** The reason for a rejection. */
  sReason: ["statusReason", z.string().nullable()],
  bSuspended: ["suspended", computed(z.boolean(), (of: MerchantSummary) => of.suspendedAt !== null)],
  sSuspensionReason: ["suspensionReason", z.string().nullable()],
  nBranches: ["branches", z.number().int()],
  /** 2 and more: the merchant applied again after a rejection. */
  nApplications: ["applications", z.number().int()],
  dCreatedAt: ["createdAt", instant],
  dDecidedAt: ["decidedAt", nullable(instant)],
} as const;
const merchantsReply = pageOf(fields(summaryFields));

const merchantReply = fields({
  ...summaryFields,
  sSignupUrl: ["signupUrl", computed(z.string(), (of: MerchantDetail, to) => to.signupUrl(of.publicId))],
  sDecidedBy: ["decidedBy", z.string().nullable()],
  /** Which profile this is: PUT merchants/{id}/approval takes it. */
  iProfileVersion: ["profileVersion", z.number().int()],
  nWorkers: ["workers", z.number().int()],
  dAppliedAgainAt: ["appliedAgainAt", nullable(instant)],
  /** The owner's message with the application. */
  sMessage: ["applicationNote", z.string().nullable()],
  /** Why the application before this one was rejected. */
  sPreviousReason: ["previousReason", z.string().nullable()],
  branches: [
    "firstBranches",
    list(fields({ ...branchRefFields, sCity: ["city", z.string()], bArchived: ["archived", z.boolean()] })),
  ],
  aDocuments: [
    "documents",
    list(
      fields({
        _id: ["id", z.string()],
        sFileName: ["fileName", z.string()],
        sContentType: ["contentType", z.string()],
      }),
    ),
  ],
});

const merchantsWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: { field: "status", values: BY_LETTER },
} as const;

const approvalWire = {
  eStatus: { field: "status", values: { A: "approved", R: "rejected" } },
  sReason: "reason",
  iProfileVersion: "version",
} as const;

const reapplyWire = { sMessage: "note", aDocuments: "documents" } as const;
const reapplyReply = fields({ eStatus: ["status", status] });

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

const signedUpReply = fields({ _id: ["id", z.string()], eStatus: ["status", status] });

const waitingFields = {
  _id: ["id", z.string()],
  dAskedAt: ["askedAt", instant],
  dEffectiveAt: ["effectiveAt", instant],
  bNeedsApproval: ["needsApproval", z.boolean()],
  /** The administrator who asked; null for merchants. */
  sAskedBy: ["askedBy", z.string().nullable()],
} as const;
const points = z.number().int();

const settingFields = {
  eSpendOrder: ["spendOrder", z.enum(SPEND_ORDERS)],
  iRefundDays: ["refundDays", z.number().int()],
  bTillRequired: ["tillRequired", z.boolean()],
  iIdleLockMinutes: ["idleLockMinutes", z.number().int()],
  iOfflineMaxTopup: ["offlineMaxTopUp", points],
  iOfflineMaxTotal: ["offlineMaxTotal", points],
  /** In dirhams. */
  iDrawerTolerance: ["drawerTolerance", z.number().int()],
  iUnprovedWorkerDaily: ["unprovedWorkerDaily", points],
  iRedeemAllowance: ["redeemAllowance", points],
  iRedeemAllowanceCeiling: ["redeemAllowanceCeiling", points],
  aTenders: ["tenders", z.array(z.enum(TENDERS))],
  bAskSaleRef: ["askSaleRef", z.boolean()],
  iPaperWidth: ["paperWidth", z.union(PAPER_WIDTHS.map((width) => z.literal(width)))],
} as const;
/** The settings that a merchant may change. */
const { iRedeemAllowanceCeiling: _, ...changeable } = settingFields;

const settingsReply = fields({
  ...settingFields,
  /** The higher iRedeemAllowance that an administrator asked for, until it takes effect; null without one. */
  oPending: ["pending", nullable(fields({ ...waitingFields, iRedeemAllowance: ["wanted", points] }))],
  /** The higher iUnprovedWorkerDaily that an administrator asked for, until it takes effect; null without one. */
  oPendingWorker: [
    "pendingWorker",
    nullable(fields({ ...waitingFields, iUnprovedWorkerDaily: ["wanted", points] })),
  ],
});

const suspensionWire = { bSuspended: "suspended", sReason: "reason" } as const;

export const merchantCalls = {
  reapply: { method: "POST", path: "auth/merchant/application", body: reapplyWire, reply: reapplyReply },
  emailExists: { method: "POST", path: "auth/merchant/email-exist", body: emailWire, reply: existsReply },
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
    body: namesOf(changeable),
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

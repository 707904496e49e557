import { z } from "zod";
import { computed, fields, instant, list, namesOf, nullable, pageOf } from "@/lib/calls/codec";
import {
  branchRefFields,
  emailWire,
  existsReply,
  idParams,
  imageUrlOf,
  logoUrlOf,
  merchantNamesFields,
  personNameFields,
  STATUS_LETTER,
  signupUrlOf,
  statusLetter,
} from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { MerchantStatus } from "@/lib/domain/actor";
import { TENDERS } from "@/lib/ledger/model/tender";
import { waitingFields } from "@/lib/points-config/names";
import { PAPER_WIDTHS } from "@/lib/receipts/model/receipt";
import type { PendingProfile } from "./model/merchant";
import { SPEND_ORDERS } from "./model/merchant-settings";

const BY_LETTER = { A: "approved", R: "rejected", P: "pending" } as const satisfies Record<
  string,
  MerchantStatus
>;

const status = {
  schema: statusLetter,
  from: (of: MerchantStatus) => STATUS_LETTER[of],
  view: (letter: keyof typeof BY_LETTER): MerchantStatus => BY_LETTER[letter],
};

const summaryFields = {
  _id: ["id", z.string()],
  ...merchantNamesFields,
  sBusinessImage: ["image", imageUrlOf],
  sLogo: ["logo", logoUrlOf],
  sColor: ["colour", z.string().nullable()],
  ...personNameFields,
  sEmail: ["email", z.string()],
  sPhoneNumber: ["phone", z.string()],
  eStatus: ["status", status],
  sReason: ["statusReason", z.string().nullable()],
  bSuspended: [
    "suspended",
    computed(z.boolean(), (of: { suspendedAt: Date | null }) => of.suspendedAt !== null),
  ],
  sSuspensionReason: ["suspensionReason", z.string().nullable()],
  /** The number of branches in use. */
  nBranches: ["branches", z.number().int()],
  /** 2 and more: the merchant applied again after a rejection. */
  nApplications: ["applications", z.number().int()],
  dCreatedAt: ["createdAt", instant],
  dDecidedAt: ["decidedAt", nullable(instant)],
} as const;
const summary = fields(summaryFields);
export type MerchantSummary = Parameters<typeof summary.from>[0] & { publicId: string };

const merchantReply = fields({
  ...summaryFields,
  sSignupUrl: ["signupUrl", signupUrlOf],
  sDecidedBy: ["decidedBy", z.string().nullable()],
  /** Which profile this is: PUT merchants/{id}/approval takes it. */
  iProfileVersion: ["profileVersion", z.number().int()],
  nWorkers: ["workers", z.number().int()],
  dAppliedAgainAt: ["appliedAgainAt", nullable(instant)],
  sMessage: ["applicationNote", z.string().nullable()],
  sPreviousReason: ["previousReason", z.string().nullable()],
  /** The oldest branches first, including archived ones. */
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
type Detail = Parameters<typeof merchantReply.from>[0];
export type MerchantDetail = Omit<Detail, "documents"> & {
  documents: (Detail["documents"][number] & { sentAt: Date })[];
  pendingProfile: PendingProfile | null;
};

const merchantsWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: { field: "status", values: BY_LETTER },
} as const;

const reapplyWire = { sMessage: "note", aDocuments: "documents" } as const;
const reapplyReply = fields({ eStatus: ["status", status] });

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

export const merchantCalls = {
  reapply: { method: "POST", path: "auth/merchant/application", body: reapplyWire, reply: reapplyReply },
  emailExists: { method: "POST", path: "auth/merchant/email-exist", body: emailWire, reply: existsReply },
  signUpMerchant: {
    method: "POST",
    path: "auth/merchant/signup",
    body: {
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
    },
    reply: fields({ _id: ["id", z.string()], eStatus: ["status", status] }),
  },
  decideMerchant: {
    method: "PUT",
    path: "merchants/{id}/approval",
    params: idParams,
    body: {
      eStatus: { field: "status", values: { A: "approved", R: "rejected" } },
      sReason: "reason",
      iProfileVersion: "version",
    },
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
    body: { bSuspended: "suspended", sReason: "reason" },
    reply: merchantReply,
  },
  listMerchants: { method: "GET", path: "merchants", query: merchantsWire, reply: pageOf(summary) },
} as const;

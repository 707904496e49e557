import { z } from "zod";
import type { MerchantStatus } from "@/lib/domain/actor";
import type { MerchantDetail, MerchantSummary } from "@/lib/domain/merchant";
import type { Page } from "@/lib/domain/movements";
import { STATUS_LETTER, statusLetter } from "./account";
import { imageUrl, signupUrl } from "./media";
import { merchantNamesFrom, merchantNamesShape } from "./merchant-ref";
import { same } from "./names";

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

function summaryFrom(merchant: MerchantSummary): z.output<typeof summary> {
  return {
    _id: merchant.id,
    ...merchantNamesFrom(merchant),
    sBusinessImage: imageUrl(merchant.imageKey),
    sLogo: imageUrl(merchant.logoKey),
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

export const merchantsReply = {
  schema: z.object({ results: z.array(summary), nextCursor: z.string().nullable() }),
  from: (page: Page<MerchantSummary>) => ({
    results: page.results.map(summaryFrom),
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
  /** What the owner wrote with the application. */
  sMessage: z.string().nullable(),
  /** Why the application before this one was rejected. */
  sPreviousReason: z.string().nullable(),
  branches: z.array(
    z.object({ _id: z.string(), sBranchName: z.string(), sCity: z.string(), bArchived: z.boolean() }),
  ),
  aDocuments: z.array(z.object({ _id: z.string(), sFileName: z.string(), sContentType: z.string() })),
});

export const merchantReply = {
  schema: detail,
  from: (merchant: MerchantDetail): z.output<typeof detail> => ({
    ...summaryFrom(merchant),
    sSignupUrl: signupUrl(merchant.publicId),
    sDecidedBy: merchant.decidedBy,
    iProfileVersion: merchant.profileVersion,
    nWorkers: merchant.workers,
    dAppliedAgainAt: merchant.appliedAgainAt?.toISOString() ?? null,
    sMessage: merchant.applicationNote,
    sPreviousReason: merchant.previousReason,
    branches: merchant.firstBranches.map((branch) => ({
      _id: branch.id,
      sBranchName: branch.name,
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
export const merchantsWire = {
  ...same("search", "cursor", "sort", "limit"),
  eStatus: { field: "status", values: BY_LETTER },
} as const;

/** PUT merchants/{id}/approval. */
export const approvalWire = {
  eStatus: { field: "status", values: { A: "approved", R: "rejected" } },
  sReason: "reason",
  iProfileVersion: "version",
} as const;

/** POST auth/merchant/application. The documents are upload keys. */
export const reapplyWire = { sMessage: "note", aDocuments: "documents" } as const;
export const reapplyReply = {
  schema: z.object({ eStatus: statusLetter }),
  from: ({ status }: { status: MerchantStatus }) => ({ eStatus: STATUS_LETTER[status] }),
};

/** POST auth/merchant/signup. The images are upload keys. */
export const merchantSignUpWire = {
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

export const signedUpReply = {
  schema: z.object({ _id: z.string(), eStatus: statusLetter }),
  from: ({ id, status }: { id: string; status: MerchantStatus }) => ({
    _id: id,
    eStatus: STATUS_LETTER[status],
  }),
};

export const emailExistWire = { sEmail: "email" } as const;
export const customerExistWire = { sEmail: "email", iMerchantId: "merchantId" } as const;

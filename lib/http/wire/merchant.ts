import { z } from "zod";
import type { MerchantStatus } from "@/lib/domain/actor";
import { idSchema } from "@/lib/domain/ids";
import {
  decideMerchantSchema,
  emailExistsSchema,
  type MerchantDetail,
  type MerchantSummary,
  merchantSignUpSchema,
  merchantsSchema,
} from "@/lib/domain/merchant";
import type { Page } from "@/lib/domain/movements";
import { STATUS_LETTER, statusLetter } from "./account";
import { imageUrl, signupUrl } from "./media";

const BY_LETTER = { A: "approved", R: "rejected", P: "pending" } as const satisfies Record<
  string,
  MerchantStatus
>;

const summary = z.object({
  _id: z.string(),
  sBusinessName: z.string(),
  sBusinessImage: z.string().nullable(),
  sFirstName: z.string(),
  sLastName: z.string(),
  sEmail: z.string(),
  sPhoneNumber: z.string(),
  eStatus: statusLetter,
  /** Why it was rejected. */
  sReason: z.string().nullable(),
  nBranches: z.number().int(),
  dCreatedAt: z.iso.datetime(),
  dDecidedAt: z.iso.datetime().nullable(),
});

function summaryFrom(merchant: MerchantSummary): z.output<typeof summary> {
  return {
    _id: merchant.id,
    sBusinessName: merchant.businessName,
    sBusinessImage: imageUrl(merchant.imageKey),
    sFirstName: merchant.firstName,
    sLastName: merchant.lastName,
    sEmail: merchant.email,
    sPhoneNumber: merchant.phone,
    eStatus: STATUS_LETTER[merchant.status],
    sReason: merchant.statusReason,
    nBranches: merchant.branches,
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
  nWorkers: z.number().int(),
  branches: z.array(
    z.object({ _id: z.string(), sBranchName: z.string(), sCity: z.string(), bArchived: z.boolean() }),
  ),
  aDocuments: z.array(z.object({ _id: z.string(), sFileName: z.string(), sContentType: z.string() })),
});

export const merchantReply = {
  schema: detail,
  from: (merchant: MerchantDetail): z.output<typeof detail> => ({
    ...summaryFrom(merchant),
    sSignupUrl: signupUrl(merchant.id),
    sDecidedBy: merchant.decidedBy,
    nWorkers: merchant.workers,
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

const query = merchantsSchema.shape;
export const merchantsWire = z
  .object({
    search: query.search,
    cursor: query.cursor,
    /** A minus before the field sorts downwards; -received by itself. */
    sort: query.sort,
    limit: query.limit,
    eStatus: statusLetter.optional(),
  })
  .transform(({ eStatus, ...rest }) => ({ ...rest, status: eStatus && BY_LETTER[eStatus] }));

export const approvalWire = z
  .object({ eStatus: z.enum(["A", "R"], "validation.invalid"), sReason: decideMerchantSchema.shape.reason })
  .transform((wire) => ({ status: BY_LETTER[wire.eStatus], reason: wire.sReason }));

const signUp = merchantSignUpSchema.shape;
const branch = signUp.branch.shape;
export const merchantSignUpWire = z
  .object({
    sBusinessName: signUp.businessName,
    sFirstName: signUp.firstName,
    sLastName: signUp.lastName,
    sEmail: signUp.email,
    sPhoneNumber: signUp.phone,
    sPassword: signUp.password,
    /** The key of an uploaded image. */
    sBusinessImage: signUp.image,
    /** The keys of uploaded documents, at most 3. */
    aDocuments: signUp.documents,
    branch: z.object({ sBranchName: branch.name, sCity: branch.city }, { error: "validation.required" }),
  })
  .transform((wire) => ({
    businessName: wire.sBusinessName,
    firstName: wire.sFirstName,
    lastName: wire.sLastName,
    email: wire.sEmail,
    phone: wire.sPhoneNumber,
    password: wire.sPassword,
    image: wire.sBusinessImage,
    documents: wire.aDocuments,
    branch: { name: wire.branch.sBranchName, city: wire.branch.sCity },
  }));

export const signedUpReply = {
  schema: z.object({ _id: z.string(), eStatus: statusLetter }),
  from: ({ id, status }: { id: string; status: MerchantStatus }) => ({
    _id: id,
    eStatus: STATUS_LETTER[status],
  }),
};

export const emailExistWire = z
  .object({ sEmail: emailExistsSchema.shape.email })
  .transform((wire) => ({ email: wire.sEmail }));
export const customerExistWire = z
  .object({ sEmail: emailExistsSchema.shape.email, iMerchantId: idSchema.optional() })
  .transform((wire) => ({ email: wire.sEmail, merchantId: wire.iMerchantId }));
export const existsReply = {
  schema: z.object({ exists: z.boolean() }),
  from: (output: { exists: boolean }) => output,
};

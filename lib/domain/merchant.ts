import { z } from "zod";
import { emailSchema, nameSchema, passwordSchema } from "./account";
import type { MerchantStatus } from "./actor";
import { phoneSchema } from "./contact";
import { idSchema } from "./ids";
import { toLatinDigits } from "./money";
import { reasonSchema } from "./movements";
import { pageSchema, searchSchema, sortSchema } from "./paging";
import { uploadKeySchema } from "./uploads";

export const MERCHANT_STATUSES = ["pending", "approved", "rejected"] as const satisfies MerchantStatus[];

/** From which states a decision may be taken: a rejected one may be approved after all, an approved one shut out. */
export const DECIDABLE = {
  approved: ["pending", "rejected"],
  rejected: ["pending", "approved"],
} as const satisfies Partial<Record<MerchantStatus, readonly MerchantStatus[]>>;

/** A business, as administrators see it in a list. */
export type MerchantSummary = {
  id: string;
  businessName: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  imageKey: string | null;
  status: MerchantStatus;
  statusReason: string | null;
  decidedAt: Date | null;
  createdAt: Date;
  /** Branches in use. */
  branches: number;
};

type MerchantDocument = { id: string; fileName: string; contentType: string };
export type MerchantDetail = MerchantSummary & {
  /** Who decided last. */
  decidedBy: string | null;
  documents: MerchantDocument[];
  /** The first branches, in use or not, oldest first. */
  firstBranches: { id: string; name: string; city: string; archived: boolean }[];
  workers: number;
};

/** A merchant as its owner edits it. */
export type Business = {
  id: string;
  businessName: string;
  phone: string;
  imageKey: string | null;
  /** Points a customer may redeem in a day without proof. */
  redeemAllowance: number;
  /** The most it may be: the maximum balance in force. */
  maxBalance: number;
};

export const MAX_DOCUMENTS = 3;

export const merchantSignUpSchema = z.object({
  businessName: nameSchema,
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  password: passwordSchema,
  /** The key of an uploaded image. */
  image: uploadKeySchema.optional(),
  /** The keys of uploaded documents. */
  documents: z
    .array(uploadKeySchema)
    .max(MAX_DOCUMENTS, "validation.documents")
    .transform((keys) => [...new Set(keys)])
    .optional(),
  branch: z.object({ name: nameSchema, city: nameSchema }, { error: "validation.required" }),
});
export type MerchantSignUp = z.output<typeof merchantSignUpSchema>;

/** What a list of merchants can be sorted by; newest first where nothing is said. */
export const MERCHANT_SORTS = ["received", "name"] as const;

export const merchantsSchema = pageSchema.extend({
  search: searchSchema,
  status: z.enum(MERCHANT_STATUSES, "validation.invalid").optional(),
  sort: sortSchema(MERCHANT_SORTS),
});
export type MerchantsQuery = z.output<typeof merchantsSchema>;

export const decideMerchantSchema = z.object({
  id: idSchema,
  status: z.enum(["approved", "rejected"], "validation.invalid"),
  /** Asked of a rejection. */
  reason: reasonSchema.optional(),
  /** What the decider saw: a decision taken meanwhile is not overruled unseen. */
  seen: z.enum(MERCHANT_STATUSES, "validation.invalid").optional(),
});
export type DecideMerchant = z.output<typeof decideMerchantSchema>;

const allowance = z
  .union([z.number(), z.string().max(20)], { error: "validation.points.required" })
  .transform((value, ctx) => {
    const text = toLatinDigits(String(value)).trim();
    if (/^\d{1,9}$/.test(text)) return Number(text);
    ctx.issues.push({ code: "custom", message: "validation.allowance", input: value });
    return z.NEVER;
  });

export const updateBusinessSchema = z.object({
  businessName: nameSchema.optional(),
  phone: phoneSchema.optional(),
  /** A new image's key; null takes the image away. */
  image: uploadKeySchema.nullable().optional(),
  redeemAllowance: allowance.optional(),
});
export type UpdateBusiness = z.output<typeof updateBusinessSchema>;

export const emailExistsSchema = z.object({ email: emailSchema });

/** Without a merchant: a card with any. */
export const customerExistsSchema = emailExistsSchema.extend({ merchantId: idSchema.optional() });

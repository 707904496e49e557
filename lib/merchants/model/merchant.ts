import { z } from "zod";
import {
  byEmailSchema,
  emailSchema,
  nameSchema,
  optionalNameSchema,
  passwordSchema,
} from "@/lib/accounts/model/account";
import { type CardColours, parseColour } from "@/lib/cards/model/card-colours";
import type { MerchantStatus } from "@/lib/domain/actor";
import { idSchema } from "@/lib/domain/ids";
import type { MerchantNames } from "@/lib/domain/localized-names";
import { pageSchema, searchSchema, sortSchema } from "@/lib/domain/paging";
import { phoneSchema } from "@/lib/domain/typed";
import { uploadKeySchema } from "@/lib/files/model/upload-schemas";
import { MAX_DOCUMENTS } from "@/lib/files/model/uploads";
import { reasonSchema } from "@/lib/ledger/model/movements";
import { POSTER_KINDS, POSTER_LANGUAGES } from "./poster-kinds";

export const posterSchema = z.object({
  kind: z.enum(POSTER_KINDS, "validation.invalid").default("poster"),
  language: z.enum(POSTER_LANGUAGES, "validation.invalid").default("both"),
});

export const MERCHANT_STATUSES = ["pending", "approved", "rejected"] as const satisfies MerchantStatus[];

export const DECIDABLE_FROM = {
  approved: ["pending", "rejected"],
  rejected: ["pending", "approved"],
} as const satisfies Partial<Record<MerchantStatus, readonly MerchantStatus[]>>;

/** The part of a merchant's profile that customers see. Null removes an optional field. */
export type ShownProfile = MerchantNames & {
  imageKey: string | null;
  logoKey: string | null;
  /** The owner's own colour of the cards, such as "#0f5257". */
  colour: string | null;
};

/** A merchant as its customers see it; `suspended`: nothing can be posted for now. */
export type SignupMerchant = Omit<ShownProfile, "colour"> & {
  id: string;
  /** The id in the sign-up link. */
  publicId: string;
  colours: CardColours;
  suspended: boolean;
};

/** A change of an approved merchant's profile that waits for an administrator. What stays is undefined. */
export type PendingProfile = Partial<ShownProfile> & { id: string; createdAt: Date };

export type Business = ShownProfile & {
  id: string;
  phone: string;
  /** The colour of the cards if the owner has not set one. */
  imageColour: string;
  pending: PendingProfile | null;
};

/** A colour as it is typed, with or without "#"; "" is none. */
const colourSchema = z
  .string({ error: "validation.type" })
  .max(20, { error: "validation.colour", abort: true })
  .refine((text) => text.trim() === "" || parseColour(text) !== null, "validation.colour")
  .transform(parseColour)
  .nullable();

export const merchantSignUpSchema = z.object({
  businessName: nameSchema,
  businessNameAr: optionalNameSchema,
  firstName: nameSchema,
  lastName: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  password: passwordSchema,
  image: uploadKeySchema.optional(),
  documents: z
    .array(uploadKeySchema)
    .max(MAX_DOCUMENTS, "validation.documents")
    .transform((keys) => [...new Set(keys)])
    .optional(),
  branch: z.object({ name: nameSchema, city: nameSchema }, { error: "validation.required" }),
});
export const reapplySchema = z.object({
  note: reasonSchema.transform((text) => text || undefined).optional(),
  documents: merchantSignUpSchema.shape.documents,
});

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
  /** Required for a rejection. */
  reason: reasonSchema.optional(),
  /** The status that the administrator saw. If it has changed since, the decision is a conflict. */
  seen: z.enum(MERCHANT_STATUSES, "validation.invalid").optional(),
  /** The profile that the administrator saw. If it has changed since, the decision is a conflict. */
  version: z.number().int().min(0).optional(),
});

export const decideProfileSchema = decideMerchantSchema
  .omit({ seen: true, version: true })
  .extend({ changeId: idSchema });

export const updateBusinessSchema = z.object({
  businessName: nameSchema.optional(),
  /** Null or "" removes it. */
  businessNameAr: optionalNameSchema,
  phone: phoneSchema.optional(),
  /** The upload keys of new pictures; null removes one. */
  image: uploadKeySchema.nullable().optional(),
  logo: uploadKeySchema.nullable().optional(),
  /** Null or "" leaves the colour to the image. */
  colour: colourSchema.optional(),
});
export type UpdateBusiness = z.output<typeof updateBusinessSchema>;

/** The merchant is required, because nobody may learn whether an e-mail has a card anywhere. */
export const customerExistsSchema = byEmailSchema.extend({ merchantId: idSchema });

import { z } from "zod";
import { emailSchema } from "@/lib/accounts/model/account";
import { customerIdSchema } from "@/lib/customers/model/customers";
import { idSchema } from "@/lib/domain/ids";
import { isId, NIL_ID } from "@/lib/domain/is-id";
import { phoneSchema } from "@/lib/domain/typed";
import { pointsSchema } from "@/lib/ledger/model/movements";

export const findCustomersSchema = z.object({
  search: z.string().trim().max(100, "validation.tooLong").default(""),
});

/** The public id in the link that a card's QR code holds, printed or live; null for another text. */
export function scannedId(text: string): string | null {
  const path = URL.canParse(text) ? new URL(text).pathname : "";
  const [, id] = /^\/topup\/([^/]+)$/.exec(path) ?? [];
  return isId(id) ? id.toLowerCase() : null;
}

/** Exactly one of a scanned code, a phone and an e-mail. A code that no card's QR holds finds nothing. */
export const findCardSchema = z
  .object({
    code: z.string("validation.type").trim().max(2_000, "validation.tooLong").optional(),
    phone: phoneSchema.optional(),
    email: emailSchema.optional(),
  })
  .transform(({ code, ...contact }, ctx) => {
    const publicId = code === undefined ? undefined : (scannedId(code) ?? NIL_ID);
    if ([publicId, contact.phone, contact.email].filter((one) => one !== undefined).length === 1) {
      return { publicId, ...contact };
    }
    ctx.issues.push({ code: "custom", message: "errors.findOne", path: ["code"], input: code });
    return z.NEVER;
  });
export type FindCard = z.output<typeof findCardSchema>;

/** More points than a balance can have. */
const TOO_MANY = 2 ** 31;

export const redeemCodeSchema = customerIdSchema.extend({
  points: pointsSchema
    .refine((points) => points < TOO_MANY, { error: "validation.points.tooLarge" })
    .optional(),
});

export const viewCustomerSchema = customerIdSchema.extend({
  /** The instant whose balance is asked for; now where nothing is said. */
  at: z.iso
    .datetime({ offset: true, error: "validation.date" })
    .refine((text) => text >= "1900" && text < "9999", { error: "validation.date" })
    .transform((text) => new Date(text))
    .optional(),
});

/** A customer of a merchant, or of a user's merchant. The input names the merchant or the user. */
export const customerAssociationSchema = z
  .object({
    customerId: z.string({ error: "validation.customer.required" }).pipe(idSchema),
    merchantId: idSchema.nullish(),
    adminId: idSchema.nullish(),
  })
  .transform(({ customerId, merchantId, adminId }, ctx) => {
    const within = merchantId ?? adminId;
    if (within) return { customerId, within };
    ctx.addIssue({ code: "custom", message: "validation.merchant.required", path: ["merchantId"] });
    return z.NEVER;
  });

export const merchantsOfCustomerSchema = z.object({ email: emailSchema });

import { z } from "zod";
import { emailSchema, nameSchema } from "@/lib/accounts/model/account";
import { idSchema } from "@/lib/domain/ids";
import { toLatinDigits } from "@/lib/domain/money";
import { LOCALES } from "@/lib/domain/roles";
import { qatarDay, toIsoDay } from "@/lib/domain/time";
import { phoneSchema } from "@/lib/domain/typed";
import type { EmailChangeKind } from "./email-change";

export const VERIFICATION_SECONDS = 15 * 60;

const MIN_AGE = 13;
const MAX_AGE = 120;

function yearsAgo(years: number): string {
  const today = qatarDay(new Date());
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, "0")}${today.slice(4)}`;
}

/** A date of birth as YYYY-MM-DD: an existing day, 13 to 120 years ago. */
export const dateOfBirthSchema = z
  .string({ error: "validation.birth.required" })
  .trim()
  .min(1, { error: "validation.birth.required", abort: true })
  .max(20, { error: "validation.date", abort: true })
  .transform(toLatinDigits)
  .pipe(z.iso.date({ error: "validation.date", abort: true }))
  .refine((day) => day < yearsAgo(0), { error: "validation.birth.past", abort: true })
  .refine((day) => day <= yearsAgo(MIN_AGE), { error: "validation.birth.young", abort: true })
  .refine((day) => day > yearsAgo(MAX_AGE + 1), { error: "validation.birth.old" });

/** A date of birth as a form takes it: 21/03/1994, 21031994, or YYYY-MM-DD. */
export const typedBirthSchema = z
  .string({ error: "validation.birth.required" })
  .transform(toIsoDay)
  .pipe(dateOfBirthSchema);

export const codeSchema = z
  .string({ error: "validation.code" })
  .max(40, { error: "validation.code", abort: true })
  .transform((text) => toLatinDigits(text.replace(/\s/gu, "")))
  .pipe(z.string().regex(/^[0-9]{6}$/, "validation.code"));

export const sendCodeSchema = z.object({
  email: emailSchema,
  merchantId: idSchema.optional(),
});

export const verifyCodeSchema = z.object({ email: emailSchema, code: codeSchema });

const customerDetailsSchema = z.object({
  fullName: nameSchema,
  email: emailSchema,
  phone: phoneSchema,
  dateOfBirth: dateOfBirthSchema,
});

export const signUpFormSchema = customerDetailsSchema.extend({
  dateOfBirth: typedBirthSchema,
  merchantId: idSchema,
  consent: z.literal(true, { error: "validation.consent" }),
});

export const registerCustomerSchema = customerDetailsSchema.extend({
  merchantId: idSchema,
  /** Whether the customer accepted the privacy notice. */
  consent: z
    .boolean()
    .refine((given) => given, { error: "validation.consent" })
    .optional(),
  /** The secret from verifyCode. Without it the network address must match, and only a new card is issued. */
  verification: z.string().max(200).optional(),
});
export type RegisterCustomer = z.output<typeof registerCustomerSchema>;

export const signUpSchema = registerCustomerSchema.omit({ verification: true }).extend({ code: codeSchema });

/** Identifies a card by its private id. */
export const cardSchema = z.object({ customerId: idSchema });

export const sendCardCodeSchema = cardSchema.extend({ purpose: z.enum(["card_holder", "erase"]) });

export const proveHolderSchema = cardSchema.extend({ code: codeSchema });

export const newEmailSchema = cardSchema.extend({ email: emailSchema });

export const changeEmailSchema = newEmailSchema.extend({
  code: codeSchema,
  /** The code mailed to the present address. Without it the change waits. */
  oldCode: codeSchema.optional(),
});

export const cardStatementSchema = cardSchema.extend({ cursor: z.string().max(40).optional() });

export const eraseCustomerSchema = cardSchema.extend({
  code: codeSchema,
  /** The balance in points that the holder saw and agreed to give up. */
  giveUp: z.number().int().min(0).optional(),
});

export const cardPdfSchema = cardSchema.extend({
  /** Overrides the card's language. */
  locale: z.enum(LOCALES).optional(),
});

/** A change of a card's e-mail that waits: the new address, and when it is applied. */
export type PendingEmail = { email: string; kind: EmailChangeKind; dueAt: Date };

export const linkTokenSchema = z.object({ token: z.string().min(1).max(300) });

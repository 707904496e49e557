import { z } from "zod";
import { normalisePhone } from "./contact";
import { betweenMessage } from "./errors";
import { toLatinDigits } from "./money";

/** A required text of at most `max` characters. */
export const requiredText = (max: number) =>
  z.string({ error: "validation.required" }).min(1, "validation.required").max(max, "validation.tooLong");

/** A required Qatar phone; answers the stored form. */
export const phoneSchema = z
  .string({ error: "validation.phone.required" })
  .trim()
  .min(1, { error: "validation.phone.required", abort: true })
  .max(40, { error: "validation.phone.invalid", abort: true })
  .transform((text) => normalisePhone(text) ?? "")
  .refine((phone) => phone !== "", "validation.phone.invalid");

/** An amount of cash as people write it ("150", "1,250.50", in Latin, Arabic-Indic or Persian digits), parsed to dirhams. */
export const qarSchema = z.string({ error: "validation.qar" }).transform((value, ctx) => {
  const text = toLatinDigits(value)
    .replaceAll(/[\s,\u066c]/g, "")
    .replace("\u066b", ".");
  const [, whole, fraction = ""] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole !== undefined) return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  ctx.issues.push({ code: "custom", message: "validation.qar", input: value });
  return z.NEVER;
});

/** The same from `min` to `max` dirhams. */
export const qarBetween = (min: number, max: number) =>
  qarSchema.refine((dirhams) => dirhams >= min && dirhams <= max, betweenMessage(min / 100, max / 100));

/** The same where nothing may be given: an empty text is undefined. */
export const optionalQarSchema = z.union([
  z
    .string()
    .trim()
    .length(0)
    .transform(() => undefined),
  qarSchema,
]);

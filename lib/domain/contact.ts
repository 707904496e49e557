import { z } from "zod";
import { toLatinDigits } from "./money";

/** The stored form "+974XXXXXXXX" of a Qatar number (with +974, with 974, or 8 digits; spaces ignored), or null. */
export function normalisePhone(text: string): string | null {
  const match = /^(?:\+?974)?(\d{8})$/.exec(toLatinDigits(text).replace(/\s/gu, ""));
  return match ? `+974${match[1]}` : null;
}

/** A number in the form "+974 XXXX XXXX". Numbers from outside Qatar stay unchanged. */
export function formatPhone(phone: string): string {
  const stored = normalisePhone(phone);
  return stored ? `+974 ${stored.slice(4, 8)} ${stored.slice(8)}` : phone;
}

/** A required Qatar phone; answers the stored form. */
export const phoneSchema = z
  .string({ error: "validation.phone.required" })
  .trim()
  .min(1, { error: "validation.phone.required", abort: true })
  .max(40, { error: "validation.phone.invalid", abort: true })
  .transform((text, ctx) => {
    const phone = normalisePhone(text);
    if (phone) return phone;
    ctx.issues.push({ code: "custom", message: "validation.phone.invalid", input: text });
    return z.NEVER;
  });

/** A masked e-mail that its owner still recognises: "la•••@example.com". */
export function maskEmail(email: string): string {
  const [name = "", host = ""] = email.split("@");
  return `${name.slice(0, 2)}•••@${host}`;
}

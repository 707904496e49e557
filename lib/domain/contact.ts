import { z } from "zod";
import { toLatinDigits } from "./money";

/** The stored form "+974XXXXXXXX" of a Qatar number (with +974, with 974, or 8 digits; spaces ignored), else null. */
export function normalisePhone(text: string): string | null {
  const match = /^(?:\+?974)?(\d{8})$/.exec(toLatinDigits(text).replace(/\s/gu, ""));
  return match ? `+974${match[1]}` : null;
}

/** How a stored number is shown: "+974 XXXX XXXX". What is no Qatar number stays as it is. */
export function displayPhone(phone: string): string {
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

/** Enough of an address for its owner to recognise it: "la•••@example.com". */
export function maskedEmail(email: string): string {
  const [name = "", host = ""] = email.split("@");
  return `${name.slice(0, 2)}•••@${host}`;
}

/** A text for the log, its e-mail addresses left out: what other programs say of a person's mail names the person. */
export function withoutAddresses(text: string): string {
  // A match begins only where a run of letters does: begun anew at each of them, a long run would take the square of it.
  return text.replace(/(?<![\w.+%-])[\w.+%-]+@(?:[\w-]+\.)+[a-z]{2,}/gi, "(address)");
}

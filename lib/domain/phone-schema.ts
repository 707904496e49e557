import { z } from "zod";
import { normalisePhone } from "./contact";

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

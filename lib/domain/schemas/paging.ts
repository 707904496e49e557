import { z } from "zod";
import { idSchema } from "../ids";

/** A page of a list: `cursor` is the last page's nextCursor, `limit` how many rows (1 to 100). */
export const pageSchema = z.object({
  cursor: idSchema.optional(),
  limit: z.coerce
    .number("validation.type")
    .int("validation.type")
    .min(1, "validation.invalid")
    .max(100, "validation.invalid")
    .default(25),
});
export type PageQuery = z.output<typeof pageSchema>;

/** What is searched for in a list: at most 100 characters; nothing is no filter. Control characters are spaces. */
export const searchSchema = z
  .string()
  .trim()
  .max(100, "validation.tooLong")
  .transform((text) => text.replace(/\p{Cc}/gu, " ").trim() || undefined)
  .optional();

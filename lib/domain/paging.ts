import { z } from "zod";
import { idSchema } from "./ids";

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

/** A list's order: by a field upwards, or downwards with a minus before it. */
export type Sort<Field extends string> = Field | `-${Field}`;

/** The orders that a list offers, out of the fields that it can be sorted by; none is the list's own. */
export function sortSchema<const Field extends string>(fields: readonly Field[]) {
  return z
    .enum(
      fields.flatMap((field): Sort<Field>[] => [field, `-${field}`]),
      "validation.invalid",
    )
    .optional();
}

/** The field of an order, and whether it runs downwards. */
export function sortParts<Field extends string>(sort: Sort<Field>): { field: Field; down: boolean } {
  const down = sort.startsWith("-");
  return { field: (down ? sort.slice(1) : sort) as Field, down };
}

// The order of the lists' indexes: Unicode's root collation.
const { compare } = new Intl.Collator("und");

/** For sorting choices by name, as the lists are: small and capital letters together, each alphabet by itself. */
export function byName<T>(nameOf: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => compare(nameOf(a), nameOf(b));
}

export type Choice = { id: string; name: string };

/** What a list may be narrowed to; branches and staff are those of one merchant. */
export type FilterOptions = { merchants: Choice[]; branches: Choice[]; staff: Choice[] };

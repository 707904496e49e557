import { z } from "zod";
import { idSchema } from "./ids";

/** A page of a list: `cursor` is the nextCursor of the page before, `limit` the number of rows (1 to 100). */
export const pageSchema = z.object({
  cursor: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type PageQuery = z.output<typeof pageSchema>;

/** A search term of at most 100 characters; an empty one does not filter. Control characters become spaces. */
export const searchSchema = z
  .string()
  .trim()
  .max(100, "validation.tooLong")
  .transform((text) => text.replace(/\p{Cc}/gu, " ").trim() || undefined)
  .optional();

/** The order of a list: a field ascending, or descending with a leading minus. */
export type Sort<Field extends string> = Field | `-${Field}`;

/** The schema of a list's order by any of these fields. When absent, the list uses its default order. */
export function sortSchema<const Field extends string>(fields: readonly Field[]) {
  return z
    .enum(
      fields.flatMap((field): Sort<Field>[] => [field, `-${field}`]),
      "validation.invalid",
    )
    .optional();
}

/** Splits an order into its field and its direction. */
export function parseSort<Field extends string>(sort: Sort<Field>): { field: Field; down: boolean } {
  const down = sort.startsWith("-");
  return { field: (down ? sort.slice(1) : sort) as Field, down };
}

// Unicode's root collation, as in the indexes of the lists.
const { compare } = new Intl.Collator("und");

/** A comparator by name in the order of the lists: case-insensitive, one alphabet after the other. */
export function compareByName<T>(nameOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => compare(nameOf(a), nameOf(b));
}

export type Choice = { id: string; name: string };

/** Rows as the choices of a filter, by name. */
export const byName = <T extends { id: string }>(rows: readonly T[], nameOf: (row: T) => string): Choice[] =>
  rows.map((row) => ({ id: row.id, name: nameOf(row) })).sort(compareByName(({ name }) => name));

/** The choices of a list's filters. Branches, staff and API keys belong to one merchant. */
export type FilterOptions = { merchants: Choice[]; branches: Choice[]; staff: Choice[]; keys: Choice[] };

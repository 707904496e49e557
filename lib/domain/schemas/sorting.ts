import { z } from "zod";

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

import { z } from "zod";
import { isId, NIL_ID } from "./is-id";

/** An id of at most 100 characters. A malformed id becomes NIL_ID and is therefore "not found". */
export const idSchema = z
  .string()
  .trim()
  .min(1, "validation.required")
  .max(100, "validation.tooLong")
  .transform((value) => (isId(value) ? value.toLowerCase() : NIL_ID));

/** In a form, ANY_BRANCH is null: no branch. A select has no empty value. */
export const ANY_BRANCH = "any";
export const branchOrAny = z
  .literal(ANY_BRANCH)
  .transform(() => null)
  .or(idSchema);

export const byIdSchema = z.object({ id: idSchema });

export const nothingSchema = z.object({});

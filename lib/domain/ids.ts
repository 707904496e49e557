import { z } from "zod";

/** An id that names nothing: what an id of another shape is read as, so that its look-up simply finds nothing. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text has the shape of an id. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** An id as a caller writes it: at most 100 characters; one that cannot exist becomes NIL_ID and is "not found". */
export const idSchema = z
  .string()
  .trim()
  .min(1, "validation.required")
  .max(100, "validation.tooLong")
  .transform((value) => (isId(value) ? value.toLowerCase() : NIL_ID));

/** The input of an operation on one thing. */
export const byIdSchema = z.object({ id: idSchema });

/** The input of an operation that takes none. */
export const nothingSchema = z.object({});

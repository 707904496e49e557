import { z } from "zod";

/** An id that no row has. idSchema maps malformed ids to it, so that a look-up finds nothing. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the value is a UUID. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** An id of at most 100 characters. A malformed id becomes NIL_ID and is therefore "not found". */
export const idSchema = z
  .string()
  .trim()
  .min(1, "validation.required")
  .max(100, "validation.tooLong")
  .transform((value) => (isId(value) ? value.toLowerCase() : NIL_ID));

/** The input of an operation on one record. */
export const byIdSchema = z.object({ id: idSchema });

/** The input of an operation without parameters. */
export const nothingSchema = z.object({});

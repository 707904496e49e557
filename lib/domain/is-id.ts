/** An id that no row has. idSchema maps malformed ids to it, so that a look-up finds nothing. */
export const NIL_ID = "00000000-0000-0000-0000-000000000000";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the value is a UUID. */
export function isId(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

import type { ErrorCode } from "./errors";

/** What a server action answers: data, or a refusal whose `message` is already in the reader's language. */
export type ActionResult<T> =
  | { ok: true; data: T }
  | { ok: false; code: ErrorCode; message: string; fieldErrors: Record<string, string> };

import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { errorText } from "@/lib/i18n/translate";
import { log } from "./log";
import { readableProblems } from "./problems";
import { STATUS } from "./status";

const BASE = { "X-Content-Type-Options": "nosniff" };

// Next hands on no length, so that without a word against it even a line would be compressed, at more than it saves.
const WORTH_COMPRESSING = 1024;

/** JSON that nobody keeps. */
function jsonReply(body: object, status: number, headers: Headers): Response {
  const text = JSON.stringify(body);
  const small = text.length < WORTH_COMPRESSING;
  headers.set("Content-Type", "application/json");
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", small ? "no-store, no-transform" : "no-store");
  }
  return new Response(text, { status, headers });
}

/** The envelope of every answer: status, message, data. */
export function replyOk(message: string, data: unknown, headers: HeadersInit = {}): Response {
  // An object would keep only the last of several cookies.
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(BASE)) if (!all.has(name)) all.set(name, value);
  return jsonReply({ status: 200, message, data }, 200, all);
}

/** A refusal as {status, message, code, errors?}. What is no DomainError is logged and says nothing of the inside. */
export function replyError(
  error: unknown,
  locale: Locale,
  requestId: string,
  extra: Record<string, string> = {},
): Response {
  const known = error instanceof DomainError ? error : new DomainError("internal", {}, [], { cause: error });
  const status = STATUS[known.code];
  if (status >= 500) log("error", "request failed", { requestId, cause: known.cause ?? known });
  const headers: Record<string, string> = { ...BASE, ...extra, "X-Request-Id": requestId };
  if (known.code === "rate_limited") {
    const seconds = String(known.params.seconds ?? 60);
    headers["Retry-After"] = seconds;
    headers["RateLimit-Remaining"] = "0";
    headers["RateLimit-Reset"] = seconds;
    if (known.params.limit) headers["RateLimit-Limit"] = String(known.params.limit);
  }
  const problems = readableProblems(locale, known.problems);
  // Clients show the message, and know nothing of highlighted fields: one field at fault speaks for itself.
  const [only] = known.code === "validation" && problems.length === 1 ? problems : [];
  const body = {
    status,
    message: only?.message ?? errorText(locale, known),
    code: known.code,
    ...(problems.length > 0 ? { errors: problems } : {}),
    ...(status >= 500 ? { requestId } : {}),
  };
  return jsonReply(body, status, new Headers(headers));
}

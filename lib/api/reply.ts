import { factorRequestReply } from "@/lib/accounts/names";
import type { Writer } from "@/lib/calls/bind";
import { isDatabaseUnavailable } from "@/lib/db/faults";
import { STATUS } from "@/lib/domain/error-status";
import { DomainError, type FieldProblem, parseFieldMessage } from "@/lib/domain/errors";
import { LOCALE_COOKIE, type Locale, pickLocale } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { imageUrl, signupUrl } from "@/lib/files/media-url";

import { type Hold, holdCodec } from "@/lib/holds/names";
import { customerNameOf, errorText, translator } from "@/lib/i18n/translate";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { currentRequest } from "@/lib/observe/request";
import { readCookie } from "@/lib/secrets/cookies";
import { isClientLeft } from "./body";

/** A catalogue key in the reader's language. Any other text stays unchanged. */
export function translateKey(locale: Locale, key: string): string {
  const t = translator(locale);
  const message = parseFieldMessage(key);
  return message && t.has(message.key as never) ? t(message.key as never, message.numbers as never) : key;
}

/** The invalid fields with their messages in the reader's language. */
export function readableProblems(locale: Locale, problems: FieldProblem[]): FieldProblem[] {
  return problems.map(({ path, message }) => ({ path, message: translateKey(locale, message) }));
}

/** Answers the functions of the server that the replies of calls use, for a reader of this language. */
export const writerOf = (locale: Locale): Writer => ({
  locale,
  actorName: ({ type, name }) => name || translateKey(locale, `movements.actors.${type}`),
  customerName: (movement) => customerNameOf(movement, locale),
  whyKept: (code) => translateKey(locale, `offline.why.${code}`),
  imageUrl,
  signupUrl,
});

// Next compresses every answer unless a header forbids it, and compressing short ones costs more than it saves.
const MIN_COMPRESSED_LENGTH = 1024;

/** Refusals as RFC 9457 describes them, for callers that accept them. */
export const PROBLEM_TYPE = "application/problem+json";

/** Whether a caller asks for refusals by RFC 9457. The usual envelope is the default. */
export const wantsProblem = (headers: Headers): boolean =>
  /\bapplication\/problem\+json\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.get("accept") ?? "");

function jsonReply(body: object, status: number, headers: Headers, type = "application/json"): Response {
  const text = JSON.stringify(body);
  const small = text.length < MIN_COMPRESSED_LENGTH;
  headers.set("Content-Type", type);
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", small ? "no-store, no-transform" : "no-store");
  }
  const init = { status, headers };
  return currentRequest()?.served?.answer(text, init) ?? new Response(text, init);
}

/** A success answer in the envelope {status, message, data}. */
export function replyOk(message: string, data: unknown, headers: HeadersInit = {}): Response {
  // Headers, since an object would lose all but the last of several cookies.
  const all = new Headers(headers);
  all.set("X-Content-Type-Options", "nosniff");
  return jsonReply({ status: 200, message, data }, 200, all);
}

/** The language of a request's caller: the choice in the cookie, else the browser's. */
export const localeOf = (headers: Headers): Locale =>
  pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));

export const RETRY_SECONDS = 2;

/** Converts any error to a DomainError: unavailable for an unavailable database, otherwise internal. */
export function knownError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return new DomainError(isDatabaseUnavailable(error) ? "unavailable" : "internal", {}, [], { cause: error });
}

/** An error answer {status, message, code, errors?}. An unexpected error is logged and answered without its details. */
export function replyError(
  error: unknown,
  locale: Locale,
  requestId: string,
  extra: Record<string, string> = {},
): Response {
  // Nobody is there to read an answer, and nothing is wrong here.
  if (isClientLeft(error)) return new Response(null, { status: 499 });
  const known = knownError(error);
  const status = STATUS[known.code];
  metrics().refusals.inc({ code: known.code });
  if (status >= 500) log("error", "request failed", { requestId, cause: known.cause ?? known });
  const headers: Record<string, string> = { "X-Content-Type-Options": "nosniff", ...extra };
  headers["X-Request-Id"] = requestId;
  if (status === 503) headers["Retry-After"] = String(known.params.seconds ?? RETRY_SECONDS);
  if (known.code === "in_progress") headers["Retry-After"] = "1";
  // A hold lasts 30 seconds at least.
  if (known.code === "too_many_holds") headers["Retry-After"] = "30";
  if (known.code === "rate_limited") {
    const seconds = String(known.params.seconds ?? 60);
    headers["Retry-After"] = seconds;
    const { limit, policy, window } = known.params;
    headers["RateLimit-Remaining"] = "0";
    headers["RateLimit-Reset"] = seconds;
    if (limit) headers["RateLimit-Limit"] = String(limit);
    if (policy) {
      headers["RateLimit-Policy"] = `"${policy}";q=${limit};w=${window}`;
      headers.RateLimit = `"${policy}";r=0;t=${seconds}`;
    }
  }
  if (known.code === "use_dpop_nonce") headers["DPoP-Nonce"] = String(known.params.nonce);
  const problems = readableProblems(locale, known.problems);
  // Clients show the message only, so a single invalid field provides it.
  const [only] = known.code === "validation" && problems.length === 1 ? problems : [];
  const message = only?.message ?? errorText(locale, known);
  const more = {
    code: known.code,
    ...(problems.length > 0 ? { errors: problems } : {}),
    ...(known.data ? { data: factorRequestReply.from(known.data, writerOf(locale)) } : {}),
    ...(known.code === "ambiguous"
      ? { data: { [known.params.holds ? "aHoldIds" : "aMovementIds"]: String(known.params.ids).split(" ") } }
      : {}),
    ...(known.hold ? { data: { hold: holdCodec.from(known.hold as Hold, writerOf(locale)) } } : {}),
    ...(status >= 500 ? { requestId } : {}),
  };
  if (currentRequest()?.wantsProblem) {
    const type = `${env().APP_URL}/docs#${known.code}`;
    const problem = { type, title: known.code.replaceAll("_", " "), status, detail: message, ...more };
    return jsonReply(problem, status, new Headers(headers), PROBLEM_TYPE);
  }
  return jsonReply({ status, message, ...more }, status, new Headers(headers));
}

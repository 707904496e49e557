import { randomUUID } from "node:crypto";
import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { readCookie } from "@/lib/http/cookies";
import { replyError } from "@/lib/http/reply";

/** Answers 404 as JSON for an unknown path of the API. */
function notFound(request: Request): Response {
  const { headers } = request;
  const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
  return replyError(new DomainError("not_found"), locale, randomUUID());
}

export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };

import { randomUUID } from "node:crypto";
import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { readCookie } from "@/lib/http/cookies";
import { replyError } from "@/lib/http/reply";

/** A path that is none is refused in the words of the API, not with a page. */
function none(request: Request): Response {
  const { headers } = request;
  const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
  return replyError(new DomainError("not_found"), locale, randomUUID());
}

export { none as DELETE, none as GET, none as PATCH, none as POST, none as PUT };

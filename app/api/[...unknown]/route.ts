import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { readCookie } from "@/lib/http/cookies";
import { replyError } from "@/lib/http/reply";
import { REQUEST_ID_HEADER, withRequest } from "@/lib/observe/request";

/** Answers 404 as JSON for an unknown path of the API. */
function notFound(request: Request): Response {
  const { headers } = request;
  const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
  return withRequest(headers.get(REQUEST_ID_HEADER), (record) => {
    record.route = "unknown";
    return replyError(new DomainError("not_found"), locale, record.id);
  });
}

export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };

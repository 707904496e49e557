import { randomUUID } from "node:crypto";
import { nextAuth } from "@/lib/accounts/auth";
import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { callerAddress } from "@/lib/http/address";
import { readCookie } from "@/lib/http/cookies";
import { countRequest } from "@/lib/http/limits";
import { replyError } from "@/lib/http/reply";

type Handler = typeof nextAuth.handlers.GET;

/**
 * The named routes of next-auth, with the rate limit of requests without a session. The others answer 404: signing in is
 * this product's own.
 */
function only(names: string[], handler: Handler): Handler {
  return async (request) => {
    const { headers } = request;
    try {
      await countRequest("public", callerAddress(headers));
      const name = new URL(request.url).pathname.split("/auth/")[1] ?? "";
      if (!names.includes(name)) throw new DomainError("not_found");
    } catch (error) {
      const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
      return replyError(error, locale, randomUUID());
    }
    return handler(request);
  };
}

export const GET = only(["csrf", "session"], nextAuth.handlers.GET);
export const POST = only(["signout"], nextAuth.handlers.POST);

import { randomUUID } from "node:crypto";
import { nextAuth } from "@/lib/accounts/auth";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { callerAddress } from "@/lib/http/address";
import { readCookie } from "@/lib/http/cookies";
import { countRequest } from "@/lib/http/limits";
import { replyError } from "@/lib/http/reply";

type Handler = typeof nextAuth.handlers.GET;

/** Applies the rate limit of requests without a session to the routes of next-auth, which logs each refusal at length. */
function limited(handler: Handler): Handler {
  return async (request) => {
    const { headers } = request;
    try {
      await countRequest("public", callerAddress(headers));
    } catch (error) {
      const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
      return replyError(error, locale, randomUUID());
    }
    return handler(request);
  };
}

export const GET = limited(nextAuth.handlers.GET);
export const POST = limited(nextAuth.handlers.POST);

import { randomUUID } from "node:crypto";
import { nextAuth } from "@/lib/accounts/auth";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
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

/**
 * next-auth renews the cookie whenever the session is read. An answer still on its way when somebody else signs in would
 * put the old one back.
 */
const readOnly: Handler = async (request) => {
  const answer = await nextAuth.handlers.GET(request);
  const headers = new Headers(answer.headers);
  headers.delete("set-cookie");
  for (const line of answer.headers.getSetCookie())
    if (!line.startsWith(SESSION_COOKIE)) headers.append("set-cookie", line);
  return new Response(answer.body, { status: answer.status, headers });
};

export const GET = only(["csrf", "session"], readOnly);
export const POST = only(["signout"], nextAuth.handlers.POST);

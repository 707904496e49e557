import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { DomainError } from "@/lib/domain/errors";
import { LOCALE_COOKIE, pickLocale } from "@/lib/domain/roles";
import { readCookie } from "@/lib/secrets/cookies";
import { callerAddress } from "./address";
import { countRequest } from "./limits";
import { replyError } from "./reply";

/** The addresses of next-auth that are served, by Next alone, with their method. Signing in is this product's own. */
export const NEXT_AUTH_PATHS: Readonly<Record<string, "GET" | "POST">> = {
  "auth/csrf": "GET",
  "auth/session": "GET",
  "auth/signout": "POST",
};

/**
 * next-auth renews the cookie whenever the session is read. An answer still on its way when somebody else signs in would
 * put the old one back, so a read sets no session cookie.
 */
function withoutSessionCookie(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.delete("set-cookie");
  for (const line of answer.headers.getSetCookie())
    if (!line.startsWith(SESSION_COOKIE)) headers.append("set-cookie", line);
  return new Response(answer.body, { status: answer.status, headers });
}

/** next-auth's answer to one of its addresses, with the rate limit of requests without a session. */
export async function nextAuthAnswer(request: Request, path: string): Promise<Response> {
  const { headers } = request;
  const method = request.method === "HEAD" ? "GET" : request.method;
  try {
    await countRequest("public", callerAddress(headers));
    if (method !== NEXT_AUTH_PATHS[path]) throw new DomainError("not_found");
  } catch (error) {
    const locale = pickLocale(readCookie(headers, LOCALE_COOKIE), headers.get("accept-language"));
    return replyError(error, locale, randomUUID());
  }
  const { nextAuth } = await import("@/lib/accounts/auth");
  // Next hands its routes a NextRequest.
  const { GET, POST } = nextAuth.handlers;
  return method === "GET"
    ? withoutSessionCookie(await GET(request as NextRequest))
    : POST(request as NextRequest);
}

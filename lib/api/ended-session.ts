import { SESSION_COOKIE, sessionIdOf } from "@/lib/accounts/auth.config";
import { resolveSession } from "@/lib/accounts/session";
import { getDb } from "@/lib/db/client";
import { systemClock } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { safePath } from "@/lib/domain/paths";
import { REQUEST_ID_HEADER, requestIdOf } from "@/lib/observe/request";
import { cookieLine, readCookie } from "@/lib/secrets/cookies";
import { localeOf, replyError } from "./reply";

function loginFrom(from: string | null): string {
  // /topup uses `returnUrl`, for which the login page shows its own message.
  const parameter = from?.startsWith("/topup") ? "returnUrl" : "from";
  return `/login?${new URLSearchParams({ ended: "1", ...(from ? { [parameter]: from } : {}) })}`;
}

/**
 * Answers a browser whose session has ended: it deletes the session cookie, since a page that still saw it would redirect
 * in a loop, and goes on to login, or to the query's `to`. A live session stays: no link signs anyone out. Other callers than a
 * tab get session_ended (417), upon which Next's router navigates; a late answer to them would delete the next sign-in's cookie.
 */
export async function leaveEndedSession(request: Request): Promise<Response> {
  const { headers } = request;
  const query = new URL(request.url).searchParams;
  const [from, to] = [safePath(query.get("from")), safePath(query.get("to"))];
  const id = await sessionIdOf((name) => readCookie(headers, name));
  const live = id !== null && (await resolveSession(getDb(), { id }, systemClock())).state === "live";
  // A script, the router or a service worker asks, and no tab opens the address. Old browsers do not say.
  if (!live && (headers.get("sec-fetch-mode") ?? "navigate") !== "navigate") {
    const requestId = requestIdOf(headers.get(REQUEST_ID_HEADER));
    return replyError(new DomainError("session_ended"), localeOf(headers), requestId);
  }
  const location = to ?? (live ? (from ?? "/") : loginFrom(from));
  const answer = new Headers({ Location: location, "Cache-Control": "no-store" });
  if (!live && headers.get("cookie")?.includes(SESSION_COOKIE)) {
    for (const name of [SESSION_COOKIE, `${SESSION_COOKIE}.0`, `${SESSION_COOKIE}.1`])
      answer.append("Set-Cookie", cookieLine({ name, value: "", maxAge: 0 }));
  }
  return new Response(null, { status: 307, headers: answer });
}

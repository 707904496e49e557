import { randomUUID } from "node:crypto";
import type { NextRequest } from "next/server";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { REQUEST_ID_HEADER, withRequest } from "@/lib/observe/request";
import { callerAddress } from "./address";
import { countRequest, limitsOf } from "./limits";
import { type ApiCall, type Handlers, matcherOf } from "./match";
import { localeOf, replyError, wantsProblem } from "./reply";

/** The addresses of next-auth that are served, by Next alone, with their method. Signing in is this product's own. */
export const NEXT_AUTH_PATHS: Readonly<Record<string, "GET" | "POST">> = {
  "auth/csrf": "GET",
  "auth/session": "GET",
  "auth/signout": "POST",
};

/** next-auth renews the cookie at each read. A late answer would undo another sign-in, so a read sets none. */
function withoutSessionCookie(answer: Response): Response {
  const headers = new Headers(answer.headers);
  headers.delete("set-cookie");
  for (const line of answer.headers.getSetCookie())
    if (!line.startsWith(SESSION_COOKIE)) headers.append("set-cookie", line);
  return new Response(answer.body, { status: answer.status, headers });
}

async function nextAuthAnswer(request: Request, path: string): Promise<Response> {
  const { headers } = request;
  const method = request.method === "HEAD" ? "GET" : request.method;
  try {
    await countRequest("public", callerAddress(headers));
    if (method !== NEXT_AUTH_PATHS[path]) throw new DomainError("not_found");
  } catch (error) {
    return replyError(error, localeOf(headers), randomUUID());
  }
  const { nextAuth } = await import("@/lib/accounts/auth");
  // Next hands its routes a NextRequest.
  const { GET, POST } = nextAuth.handlers;
  return method === "GET"
    ? withoutSessionCookie(await GET(request as NextRequest))
    : POST(request as NextRequest);
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const allowOf = (handlers: Handlers): string =>
  METHODS.filter((method) => method === "OPTIONS" || (method === "HEAD" ? "GET" : method) in handlers).join(
    ", ",
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function refuse({ headers }: Request, code: ErrorCode, route: string, allowed: { Allow?: string } = {}) {
  return withRequest(headers.get(REQUEST_ID_HEADER), async (record) => {
    record.route ??= route;
    record.wantsProblem = wantsProblem(headers);
    const limits = await limitsOf(callerAddress(headers));
    return replyError(new DomainError(code), localeOf(headers), record.id, { ...limits, ...allowed });
  });
}

/** Answers any request below /api by these calls: 404 or 405 in the format of the API, 204 for OPTIONS; next-auth by itself. */
export function answerBy(calls: readonly ApiCall[]): (request: Request) => Promise<Response> {
  const find = matcherOf(calls);
  return async (request) => {
    const path = new URL(request.url).pathname.replace(/^\/api\//, "");
    if (path in NEXT_AUTH_PATHS) return nextAuthAnswer(request, path);
    const match = find(path.split("/").map(decoded));
    const handle = match?.handlers[request.method === "HEAD" ? "GET" : request.method];
    if (match && handle) return handle(request, { params: match.params });
    const headers = { Allow: match ? allowOf(match.handlers) : METHODS.join(", ") };
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
    if (match) return refuse(request, "method_not_allowed", match.route, headers);
    return refuse(request, "not_found", "unknown");
  };
}

import { type NextRequest, NextResponse } from "next/server";
import { getToken } from "next-auth/jwt";
import { authConfig, SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { DomainError } from "@/lib/domain/errors";
import { canOpenPath, homePath } from "@/lib/domain/panels";
import { isKnownPath, isPathUnder, isPrivatePath, SIGNED_OUT_PATHS } from "@/lib/domain/paths";
import { DEFAULT_LOCALE, direction, isLocale, LOCALE_COOKIE, ROLES, type Role } from "@/lib/domain/roles";
import { callerAddress } from "@/lib/http/address";
import { countRequest } from "@/lib/http/limits";
import { translator } from "@/lib/i18n/translate";

/**
 * The role in the session's cookie. next-auth's wrapper would set the cookie again with every answer, and an answer in
 * flight while the session ends would restore it.
 */
async function roleOf(request: NextRequest): Promise<Role | undefined> {
  const { secret } = authConfig;
  const token = await getToken({ req: request, secret, cookieName: SESSION_COOKIE, salt: SESSION_COOKIE });
  return ROLES.find((known) => known === token?.role);
}

/** The redirect target of a request, or null without a redirect. The cookie's role decides navigation only. */
function redirectTarget(path: string, search: string, role: Role | undefined): string | null {
  if (!isKnownPath(path)) return "/login";
  if (path === "/") return role ? homePath(role) : "/login";
  if (role && SIGNED_OUT_PATHS.some((prefix) => isPathUnder(path, prefix))) return "/";
  if (!isPrivatePath(path)) return null;
  if (!role) return `/login?from=${encodeURIComponent(path + search)}`;
  return isPathUnder(path, "/account-status") || isPathUnder(path, "/account-security") || canOpenPath(role, path) ? null : "/";
}

function contentSecurityPolicy(nonce: string): string {
  // The storage of uploads and images, if it has another origin.
  const stores = [process.env.MEDIA_BASE_URL, process.env.S3_ENDPOINT]
    .flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []))
    .concat(process.env.S3_BUCKET && !process.env.S3_ENDPOINT ? ["https://*.amazonaws.com"] : [])
    .join(" ");
  const development = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${stores}`,
    `connect-src 'self' ${stores}${development ? " ws:" : ""}`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function continueRequest(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set("x-wallet-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/**
 * Counts a public page view for the caller's address. Answers a 429 response above 300 per minute, otherwise null.
 * Prefetches and server actions are not page views.
 */
async function rateLimitResponse(request: NextRequest): Promise<NextResponse | null> {
  if (request.method !== "GET" || isPrivatePath(request.nextUrl.pathname)) return null;
  if (request.headers.has("next-router-prefetch")) return null;
  try {
    await countRequest("page", callerAddress(request.headers));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    return tooManyRequests(request, error.params);
  }
}

function tooManyRequests(request: NextRequest, { seconds, limit }: DomainError["params"]): NextResponse {
  const requested =
    request.cookies.get(LOCALE_COOKIE)?.value ?? request.headers.get("accept-language")?.slice(0, 2);
  const locale = isLocale(requested) ? requested : DEFAULT_LOCALE;
  const t = translator(locale);
  const body = `<!doctype html><html lang="${locale}" dir="${direction(locale)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${t("wait.title")}</title><h1>${t("wait.title")}</h1><p>${t("wait.text")}</p></html>`;
  return new NextResponse(body, {
    status: 429,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "Retry-After": String(seconds),
      "RateLimit-Limit": String(limit),
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": String(seconds),
    },
  });
}

/** Decides navigation only: which role may open which panel. Operations check permissions themselves. */
export default async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  const refused = await rateLimitResponse(request);
  if (refused) return refused;
  const target = redirectTarget(pathname, search, await roleOf(request));
  return target === null ? continueRequest(request) : NextResponse.redirect(new URL(target, request.nextUrl));
}

export const config = {
  // The rate limiter and the catalogues do not run on the edge runtime, which is the default of this file.
  runtime: "nodejs",
  matcher: ["/((?!api/|_next/|.*\\.(?:svg|png|ico|jpg|webp|woff2?|wasm|js|webmanifest|txt|mjs)$).*)"],
};

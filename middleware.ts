import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { getToken } from "next-auth/jwt";
import { authConfig, decodeCookie, SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { DATA_POLICY, pagePolicy, UPLOAD_POLICY, waitPagePolicy } from "@/lib/api/content-policy";
import { countPage, type PageRefusal, pageCaller, waitPage } from "@/lib/api/page-caller";
import { canOpenPath, homePath, landingPath } from "@/lib/domain/panels";
import {
  isKnownPath,
  isPathUnder,
  isPrivatePath,
  SIGNED_OUT_PATHS,
  safePath,
  TILL_DOOR,
} from "@/lib/domain/paths";
import { LOCALE_COOKIE, pickLocale, ROLES, type Role } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

/** The cookie's session. next-auth's wrapper would set the cookie again: an answer in flight would restore an ended session. */
async function sessionOf(request: NextRequest) {
  const { secret } = authConfig;
  const names = { cookieName: SESSION_COOKIE, salt: SESSION_COOKIE };
  const token = await getToken({ req: request, secret, ...names, decode: decodeCookie });
  const role = ROLES.find((known) => known === token?.role);
  return { role, id: typeof token?.sid === "string" ? token.sid : null };
}

// Files of public/ and paths that look like them: they are no pages, so they redirect nowhere.
const FILE = /\.(?:svg|png|ico|jpg|webp|woff2?|wasm|m?js|json|map|css|webmanifest|txt)$/;

function wantedPath(search: string): string | null {
  const query = new URLSearchParams(search);
  return safePath(query.get("returnUrl")) ?? safePath(query.get("from"));
}

/** The redirect target of a request, or null without a redirect. The cookie's role decides navigation only. */
function redirectTarget(path: string, search: string, role: Role | undefined): string | null {
  if (FILE.test(path)) return null;
  if (!isKnownPath(path)) return "/login";
  if (path === "/") return role ? homePath(role) : "/login";
  if (role && path === "/login") return landingPath(role, wantedPath(search));
  // The link's page asks a signed-in user whether to sign out first. An owner pairs the browser that they are signed in with.
  if (role && (isPathUnder(path, "/reset-password") || path === TILL_DOOR)) return null;
  if (role && SIGNED_OUT_PATHS.some((prefix) => isPathUnder(path, prefix))) return "/";
  if (!isPrivatePath(path)) return null;
  if (!role) return `/login?from=${encodeURIComponent(path + search)}`;
  const isOwn = ["/account-status", "/account-security"].some((prefix) => isPathUnder(path, prefix));
  return isOwn || canOpenPath(role, path) ? null : "/";
}

// Next drops a policy of the route's own answer where this file sets one.
const UPLOAD = /^\/admin\/merchants\/[^/]+\/documents\//;

// Short: each script and style of a page repeats it, in its HTML and in its data.
const newNonce = () => randomBytes(16).toString("base64url");

function continueRequest(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const nonce = newNonce();
  const policy = pagePolicy(nonce, { file: FILE.test(pathname) });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set("x-wallet-path", pathname + search);
  headers.set("x-wallet-method", request.method);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", UPLOAD.test(pathname) ? UPLOAD_POLICY : policy);
  return response;
}

/** The answer to a request that was refused by volume: a page that says how long to wait, else a text. */
function tooManyRequests(request: NextRequest, { seconds, limit }: PageRefusal): NextResponse {
  const { cookies, headers } = request;
  const locale = pickLocale(cookies.get(LOCALE_COOKIE)?.value, headers.get("accept-language"));
  const nonce = newNonce();
  const { pathname, search } = request.nextUrl;
  // Forms and images cannot show a page. A link can: Next hides its own headers here, and opens an answer in HTML itself.
  const asText = request.method !== "GET" || FILE.test(pathname);
  const t = translator(locale);
  const body = asText
    ? `${t("wait.text")} ${t("wait.seconds", { seconds })}`
    : waitPage({ locale, nonce, seconds, path: pathname + search });
  return new NextResponse(body, {
    status: 429,
    headers: {
      "Cache-Control": "no-store",
      "Retry-After": String(seconds),
      "RateLimit-Limit": String(limit),
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": String(seconds),
      "Content-Type": `text/${asText ? "plain" : "html"}; charset=utf-8`,
      "Content-Security-Policy": asText ? DATA_POLICY : waitPagePolicy(nonce),
    },
  });
}

/** Decides navigation only: which role may open which panel. Operations check permissions themselves. */
export default async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  const session = await sessionOf(request);
  const refusal = await countPage(await pageCaller(request.headers, session.id));
  if (refusal) return tooManyRequests(request, refusal);
  const target = redirectTarget(pathname, search, session.role);
  if (target === null) return continueRequest(request);
  const redirect = NextResponse.redirect(new URL(target, request.nextUrl));
  redirect.headers.set("Content-Security-Policy", DATA_POLICY);
  return redirect;
}

export const config = {
  // The rate limiter and the catalogues do not run on the edge runtime, which is the default of this file.
  runtime: "nodejs",
  // The API counts and answers by itself; files of the build never change. Everything else passes here.
  matcher: ["/((?!api/|_next/static/).*)"],
};

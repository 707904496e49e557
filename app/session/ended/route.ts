import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { safePath } from "@/lib/domain/paths";
import { cookieLine } from "@/lib/http/cookies";
import { webContext } from "@/lib/http/web-context";

/** Whether another site sends a visitor here whose session lives: nobody is signed out by a link. */
async function isRidden(request: Request): Promise<boolean> {
  return request.headers.get("sec-fetch-site") === "cross-site" && (await webContext()).session === "live";
}

/**
 * Where a page that met an ended session leads: the cookie goes, then the login page clears the handle. Without the
 * cookie no page redirects in a circle.
 */
export async function GET(request: Request): Promise<Response> {
  if (await isRidden(request)) return new Response(null, { status: 307, headers: { Location: "/" } });
  const from = safePath(new URL(request.url).searchParams.get("from"));
  // A top-up page's way back has a name of its own, by which login says why it stands in the way.
  const back = from?.startsWith("/topup") ? "returnUrl" : "from";
  const query = new URLSearchParams({ ended: "1", ...(from ? { [back]: from } : {}) });
  const headers = new Headers({ Location: `/login?${query}`, "Cache-Control": "no-store" });
  for (const name of [SESSION_COOKIE, `${SESSION_COOKIE}.0`, `${SESSION_COOKIE}.1`]) {
    headers.append("Set-Cookie", cookieLine({ name, value: "", maxAge: 0 }));
  }
  return new Response(null, { status: 307, headers });
}

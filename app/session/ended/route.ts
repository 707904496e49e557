import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { safePath } from "@/lib/domain/paths";
import { cookieLine } from "@/lib/http/cookies";
import { webContext } from "@/lib/http/web-context";

/**
 * Pages redirect here when the session has ended. It deletes the session cookie, since a page that still saw it would
 * redirect in a loop, and sends the browser to login, which clears the handle.
 */
export async function GET(request: Request): Promise<Response> {
  const from = safePath(new URL(request.url).searchParams.get("from"));
  // No link signs anyone out: a live session stays, whoever sent its user here.
  const { session } = await webContext();
  if (session === "live" || session === "unproved")
    return new Response(null, {
      status: 307,
      headers: { Location: from ?? "/", "Cache-Control": "no-store" },
    });
  // /topup uses `returnUrl`, for which the login page shows its own message.
  const parameter = from?.startsWith("/topup") ? "returnUrl" : "from";
  const query = new URLSearchParams({ ended: "1", ...(from ? { [parameter]: from } : {}) });
  const headers = new Headers({ Location: `/login?${query}`, "Cache-Control": "no-store" });
  for (const name of [SESSION_COOKIE, `${SESSION_COOKIE}.0`, `${SESSION_COOKIE}.1`]) {
    headers.append("Set-Cookie", cookieLine({ name, value: "", maxAge: 0 }));
  }
  return new Response(null, { status: 307, headers });
}

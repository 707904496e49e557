import { safePath } from "@/lib/domain/paths";
import { webSignOut } from "@/lib/http/session-actions";

/** Where the form wants to go on, if it is a path of this site: `to`. */
async function targetOf(request: Request): Promise<string> {
  const form = await request.formData().catch(() => null);
  const to = form?.get("to");
  return safePath(typeof to === "string" ? to : null) ?? "/login";
}

/**
 * Ends the browser's session and opens the login page, or the page that the form names. A form posts here, so that the
 * next page is a full load and nothing of the last one stays in the tab. Only this answer clears the browser's cache: the
 * header knows no exceptions, so it names nothing else.
 */
export async function POST(request: Request): Promise<Response> {
  // Another site's form must not sign anyone out.
  const ours = request.headers.get("sec-fetch-site") !== "cross-site";
  const headers = { Location: ours ? await targetOf(request) : "/login", "Cache-Control": "no-store" };
  if (!ours) return new Response(null, { status: 303, headers });
  await webSignOut();
  return new Response(null, { status: 303, headers: { ...headers, "Clear-Site-Data": '"cache"' } });
}

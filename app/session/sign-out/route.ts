import { webSignOut } from "@/lib/http/session-actions";

/**
 * Ends the browser's session. A form posts here, so that the login page is a full load and nothing of the last page stays
 * in the tab. Only this answer clears the browser's cache: the header knows no exceptions, so it names nothing else.
 */
export async function POST(request: Request): Promise<Response> {
  const headers = { Location: "/login", "Cache-Control": "no-store" };
  // Another site's form must not sign anyone out.
  if (request.headers.get("sec-fetch-site") === "cross-site")
    return new Response(null, { status: 303, headers });
  await webSignOut();
  return new Response(null, { status: 303, headers: { ...headers, "Clear-Site-Data": '"cache"' } });
}

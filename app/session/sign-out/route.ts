import { webSignOut } from "@/lib/api/session-actions";
import { safePath } from "@/lib/domain/paths";

/**
 * Ends the browser's session and opens the login page, or the page that the form names (`to`). With `handle` it ends that
 * session only. A form posts here, so that the next page is a full load and nothing of the last one stays in the tab. Only
 * this answer clears the browser's cache: the header knows no exceptions, so it names nothing else.
 */
export async function POST(request: Request): Promise<Response> {
  const form = await request.formData().catch(() => null);
  const text = (name: string): string | null => {
    const value = form?.get(name);
    return typeof value === "string" ? value : null;
  };
  // Another site's form must not sign anyone out, nor one of a neighbour below the same domain. Old browsers do not say.
  const site = request.headers.get("sec-fetch-site") ?? "same-origin";
  if (site !== "same-origin" && site !== "none")
    return new Response(null, { status: 303, headers: { Location: "/login", "Cache-Control": "no-store" } });
  const to = safePath(text("to")) ?? "/login";
  const ended = await webSignOut(text("handle"));
  return new Response(null, {
    status: 303,
    headers: {
      // A cookie whose session was over before is deleted where the browser is asked for it again.
      Location: ended ? to : `/session/ended?to=${encodeURIComponent(to)}`,
      "Cache-Control": "no-store",
      "Clear-Site-Data": '"cache"',
    },
  });
}

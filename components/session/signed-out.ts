import type { ActionResult } from "@/lib/domain/result";

/** The name under which the session's public handle stands in local storage. */
export const TOKEN_KEY = "token";

/**
 * Leaves for the login page when an action was refused for want of a session; answers whether it did.
 * An ended session goes over /session/ended, which clears its cookie.
 */
export function leaveWhenSignedOut(result: ActionResult<unknown>): boolean {
  if (result.ok || (result.code !== "session_ended" && result.code !== "unauthenticated")) return false;
  localStorage.removeItem(TOKEN_KEY);
  const from = encodeURIComponent(window.location.pathname + window.location.search);
  window.location.assign(
    result.code === "session_ended" ? `/session/ended?from=${from}` : `/login?from=${from}`,
  );
  return true;
}

import type { ActionResult } from "@/lib/domain/result";

/** The name under which the session's public handle stands in local storage. */
export const TOKEN_KEY = "token";

/**
 * Leaves for the login page, which leads back here, without the handle. An ended session goes over /session/ended,
 * which clears its cookie; one that never was (401) is told "Permission Denied".
 */
export function leaveForLogin(ended: boolean): void {
  localStorage.removeItem(TOKEN_KEY);
  const from = encodeURIComponent(window.location.pathname + window.location.search);
  window.location.assign(ended ? `/session/ended?from=${from}` : `/login?denied=1&from=${from}`);
}

/** Leaves for the login page when an action was refused for want of a session; answers whether it did. */
export function leaveWhenSignedOut(result: ActionResult<unknown>): boolean {
  if (result.ok || (result.code !== "session_ended" && result.code !== "unauthenticated")) return false;
  leaveForLogin(result.code === "session_ended");
  return true;
}

/** `value` if it is a path of this site, else null. Browsers read "//host", "/\host" and control characters as other sites. */
export function safePath(value: string | string[] | undefined | null): string | null {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > 2000) return null;
  if (/^\/[/\\]/.test(value) || /[\p{Cc}\\]/u.test(value)) return null;
  const base = "http://site.invalid";
  const url = URL.canParse(value, base) ? new URL(value, base) : null;
  // Resolving dot segments can produce "//host".
  return url?.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : null;
}

/** Skips the warning page that a tunnel shows to browsers. Sent with each of the browser's own API calls. */
export const TUNNEL_HEADER = { "ngrok-skip-browser-warning": "1" } as const;

export const SIGNED_OUT_PATHS = ["/login", "/signup", "/forgot-password", "/reset-password"] as const;

/** The page that pairs a browser with a till, and where the till's cashiers sign in. */
export const TILL_DOOR = "/login/till";

export const KNOWN_PATHS = [
  ...SIGNED_OUT_PATHS,
  "/confirm-email",
  "/topup",
  "/customer/signup",
  "/customer/verify",
  "/customer/loyalty-card",
  "/customer",
  "/privacy",
  "/help",
  "/card",
  "/counter",
  "/session",
  "/dev",
  "/docs",
  "/account-status",
  "/account-security",
  "/admin",
  "/merchant",
  "/employee",
] as const;

/** Whether a path equals a prefix or is below it. */
export function isPathUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

// Next answers a bare 500 for a path that cannot be decoded ("%ff").
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether the site has such a path. Any other path redirects to login. */
export function isKnownPath(path: string): boolean {
  return path === "/" || (isDecodable(path) && KNOWN_PATHS.some((prefix) => isPathUnder(path, prefix)));
}

/** Whether the path belongs to a panel that needs a session. */
export function isPrivatePath(path: string): boolean {
  return ["/admin", "/merchant", "/employee", "/account-status", "/account-security"].some((prefix) =>
    isPathUnder(path, prefix),
  );
}

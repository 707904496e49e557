/**
 * Where to go after login: `from` or `returnUrl` only when it is a path of this site, else null.
 * "//host", "/\host" and control characters are other sites in disguise.
 */
export function safePath(value: string | string[] | undefined | null): string | null {
  if (typeof value !== "string" || !value.startsWith("/") || value.length > 2000) return null;
  if (/^\/[/\\]/.test(value) || /[\p{Cc}\\]/u.test(value)) return null;
  const base = "http://site.invalid";
  const url = URL.canParse(value, base) ? new URL(value, base) : null;
  // Dots that were resolved away may leave "//host" behind.
  return url?.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : null;
}

/** Pages that someone signed in has no use for. */
export const PUBLIC_ONLY = ["/login", "/signup", "/forgot-password", "/reset-password"] as const;

const KNOWN = [
  ...PUBLIC_ONLY,
  "/topup",
  "/customer/signup",
  "/customer/verify",
  "/customer/loyalty-card",
  "/customer",
  "/privacy",
  "/card",
  "/session",
  "/dev",
  "/docs",
  "/account-status",
  "/admin",
  "/merchant",
  "/employee",
] as const;

/** Whether a path lies at or below a prefix. */
export function under(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

// What cannot be decoded ("%ff") Next would answer with a bare 500.
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Whether the site has such a path at all; any other leads to login. */
export function isKnownPath(path: string): boolean {
  return path === "/" || (isReadable(path) && KNOWN.some((prefix) => under(path, prefix)));
}

/** Whether the path belongs to a panel that needs a session. */
export function isPrivatePath(path: string): boolean {
  return ["/admin", "/merchant", "/employee", "/account-status"].some((prefix) => under(path, prefix));
}

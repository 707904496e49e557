import { env } from "@/lib/env";

/** Whether cookies may say Secure: the site is reached by https. */
export function secureCookies(): boolean {
  return env().APP_URL.startsWith("https:");
}

export type SetCookie = { name: string; value: string; maxAge: number; path?: string };

/** A Set-Cookie line of ours: httpOnly, SameSite=Lax, Secure on https; maxAge in seconds (0 deletes). */
export function cookieLine({ name, value, maxAge, path = "/" }: SetCookie): string {
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    `Max-Age=${maxAge}`,
    "HttpOnly",
    "SameSite=Lax",
  ];
  return [...parts, ...(secureCookies() ? ["Secure"] : [])].join("; ");
}

/** The value of a cookie in a Cookie header. */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [key, ...rest] = part.trim().split("=");
    if (key !== name) continue;
    try {
      return decodeURIComponent(rest.join("="));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

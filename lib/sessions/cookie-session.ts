import { decode } from "next-auth/jwt";
import { env } from "@/lib/env";
import { SESSION_COOKIE } from "./auth.config";

/**
 * The session id in next-auth's encrypted cookie, or null when there is none that can be read.
 * `cookie` answers a cookie's value by name; next-auth splits a long one into `name.0`, `name.1`, ….
 */
export async function sessionIdOf(cookie: (name: string) => string | undefined): Promise<string | null> {
  const chunks: string[] = [];
  for (let part = cookie(`${SESSION_COOKIE}.0`); part !== undefined; ) {
    chunks.push(part);
    part = cookie(`${SESSION_COOKIE}.${chunks.length}`);
  }
  const value = cookie(SESSION_COOKIE) ?? chunks.join("");
  if (!value) return null;
  try {
    const token = await decode({ token: value, secret: env().AUTH_SECRET, salt: SESSION_COOKIE });
    return typeof token?.sid === "string" ? token.sid : null;
  } catch {
    // A cookie of another secret or a forged one is no cookie.
    return null;
  }
}

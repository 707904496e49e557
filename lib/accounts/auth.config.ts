import type { NextAuthConfig } from "next-auth";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import { ROLES, type Role } from "@/lib/domain/roles";
import { oncePerProcess } from "@/lib/observe/once";
import { cookieSecrets, hashSecret } from "@/lib/secrets/secrets";

declare module "next-auth" {
  interface User {
    sessionId?: string;
    handle?: string;
    role?: Role;
  }
  interface Session {
    handle: string;
    role: Role;
  }
}

// The maximum that browsers allow. The cookie outlives its session, so that an ended session differs from none; the
// database decides whether the session is live.
export const COOKIE_SECONDS = 400 * 24 * 60 * 60;
const secure = (process.env.APP_URL ?? "").startsWith("https:");

/** The session cookie's name; next-auth uses it as the salt of its encryption too. */
export const SESSION_COOKIE = secure ? "__Secure-wallet.session" : "wallet.session";

/** The configuration without providers, which need the database. The middleware reads only the role. */
export const authConfig = {
  trustHost: true,
  secret: cookieSecrets(),
  session: { strategy: "jwt", maxAge: COOKIE_SECONDS },
  pages: { signIn: "/login", error: "/login" },
  cookies: {
    sessionToken: {
      name: SESSION_COOKIE,
      options: { httpOnly: true, sameSite: "lax", path: "/", secure },
    },
  },
  providers: [],
  callbacks: {
    jwt({ token, user }) {
      return user ? { ...token, sid: user.sessionId, handle: user.handle, role: user.role } : token;
    },
    session({ session, token }) {
      const role = ROLES.find((known) => known === token.role);
      return role
        ? // Never the session's id, which is the cookie's secret.
          { ...session, handle: String(token.handle), role }
        : session;
    },
  },
} satisfies NextAuthConfig;

const MOST_KEPT = 10_000;

const kept = oncePerProcess("cookies", () => new Map<string, JWT>());

/** Whether a cookie with this content is still good, without next-auth's tolerance. */
const isGood = ({ exp }: JWT): boolean => exp !== undefined && exp * 1000 > Date.now();

/**
 * Answers the content of next-auth's encrypted cookie, or null without a cookie. Each cookie is decrypted
 * only once, because deriving its key for each request took a tenth of a page's time. The memory holds only
 * the content, under the hash of the cookie and its secrets. Other code checks whether the session is live.
 * Throws on a forged or expired cookie, as next-auth does.
 */
export async function decodeCookie(params: JWTDecodeParams): Promise<JWT | null> {
  const { token, secret, salt } = params;
  if (!token) return null;
  const key = hashSecret(JSON.stringify([token, secret, salt]));
  const known = kept.get(key);
  if (known && isGood(known)) return known;
  kept.delete(key);
  const content = await decode(params);
  if (!content || !isGood(content)) return content;
  kept.set(key, Object.freeze(content));
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  return content;
}

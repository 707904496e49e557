import type { NextAuthConfig } from "next-auth";
import { decode, encode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import type { Db } from "@/lib/db/client";
import { ROLES, type Role } from "@/lib/domain/roles";
import { oncePerProcess, RecentMap } from "@/lib/observe/once";
import type { SetCookie } from "@/lib/secrets/cookies";
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

// Browsers allow no more. The cookie outlives its session, so that an ended session differs from none.
const COOKIE_SECONDS = 400 * 24 * 60 * 60;
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
      // Never the session's id, which is the cookie's secret.
      return role ? { ...session, handle: String(token.handle), role } : session;
    },
  },
} satisfies NextAuthConfig;

const kept = oncePerProcess("cookies", () => new RecentMap<string, JWT>(10_000));

/** Whether a cookie with this content is still good, without next-auth's tolerance. */
const isGood = ({ exp }: JWT): boolean => exp !== undefined && exp * 1000 > Date.now();

/**
 * The content of next-auth's encrypted cookie, or null without one. Each is decrypted once, because deriving its key takes a
 * tenth of a page's time. Whether the session is live is not asked here. Throws on a forged or expired cookie.
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
  return content;
}

type WebSession = { userId: string; sessionId: string; handle: string; role: Role };

/** Exchanges a new session's token, within a minute and once, for a web session; null for another token. */
export async function claimWebSession(db: Db, token: string, now: Date): Promise<WebSession | null> {
  const [row] = await db.session.updateManyAndReturn({
    where: {
      tokenHash: hashSecret(token),
      revokedAt: null,
      createdAt: { gt: new Date(now.getTime() - 60_000) },
    },
    data: { tokenHash: null },
    select: { id: true, handle: true, user: { select: { id: true, role: true } } },
  });
  return row ? { userId: row.user.id, sessionId: row.id, handle: row.handle, role: row.user.role } : null;
}

/** The cookie of a panel whose session has a new id, encrypted as next-auth does it. */
export async function sessionCookie({ userId, sessionId, handle, role }: WebSession): Promise<SetCookie> {
  const value = await encode({
    token: { sub: userId, sid: sessionId, handle, role },
    secret: cookieSecrets() ?? [],
    salt: SESSION_COOKIE,
    maxAge: COOKIE_SECONDS,
  });
  return { name: SESSION_COOKIE, value, maxAge: COOKIE_SECONDS };
}

/** The session id in next-auth's cookie, or null without a valid one. next-auth splits a long value into parts. */
export async function sessionIdOf(cookie: (name: string) => string | undefined): Promise<string | null> {
  const chunks: string[] = [];
  for (let part = cookie(`${SESSION_COOKIE}.0`); part !== undefined; ) {
    chunks.push(part);
    part = cookie(`${SESSION_COOKIE}.${chunks.length}`);
  }
  const value = cookie(SESSION_COOKIE) ?? chunks.join("");
  if (!value) return null;
  try {
    const token = await decodeCookie({ token: value, secret: cookieSecrets() ?? [], salt: SESSION_COOKIE });
    return typeof token?.sid === "string" ? token.sid : null;
  } catch {
    // A forged cookie, or one encrypted with another secret, counts as missing.
    return null;
  }
}

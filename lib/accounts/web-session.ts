import { encode } from "next-auth/jwt";
import type { Db } from "@/lib/db/client";
import type { Role } from "@/lib/domain/roles";
import type { SetCookie } from "@/lib/secrets/cookies";
import { cookieSecrets, hashSecret } from "@/lib/secrets/secrets";
import { COOKIE_SECONDS, decodeCookie, SESSION_COOKIE } from "./auth.config";

export type WebSession = { userId: string; sessionId: string; handle: string; role: Role };

/**
 * Exchanges the token of a new session for a web session, once. The cookie replaces the token, which stops working.
 * Answers null if the token is unknown, used or older than a minute.
 */
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

/**
 * The session id in next-auth's encrypted cookie, or null without a valid one.
 * `cookie` answers a cookie's value by name; next-auth splits a long value into `name.0`, `name.1`, ….
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
    const token = await decodeCookie({ token: value, secret: cookieSecrets() ?? [], salt: SESSION_COOKIE });
    return typeof token?.sid === "string" ? token.sid : null;
  } catch {
    // A forged cookie, or one encrypted with another secret, counts as missing.
    return null;
  }
}

import type { Db, Tx } from "@/lib/db/client";
import type { Actor } from "@/lib/domain/actor";
import { isId } from "@/lib/domain/ids";
import { isLocale } from "@/lib/domain/roles";
import { hashSecret, newSecret } from "./secrets";

/** How long a session lives without being used, in seconds: 12 hours, sliding. */
export const SESSION_SECONDS = 12 * 60 * 60;
// A session that was seen less than this many seconds ago is not written again.
const TOUCH_SECONDS = 5 * 60;

export type SessionKey = { id: string } | { token: string };
export type Resolved = { state: "live"; actor: Actor } | { state: "ended" } | { state: "missing" };

export type NewSession = { id: string; handle: string; token: string; expiresAt: Date };

/** Opens a session of 12 hours for a user. The token is shown once: only its hash is kept. */
export async function openSession(
  db: Db | Tx,
  from: { userId: string; userAgent: string | null; address: string; now: Date },
): Promise<NewSession> {
  const token = newSecret();
  const row = await db.session.create({
    data: {
      userId: from.userId,
      tokenHash: hashSecret(token),
      userAgent: from.userAgent?.slice(0, 300),
      address: from.address,
      lastSeenAt: from.now,
      expiresAt: new Date(from.now.getTime() + SESSION_SECONDS * 1000),
    },
    select: { id: true, handle: true, expiresAt: true },
  });
  return { ...row, token };
}

const selection = {
  id: true,
  handle: true,
  lastSeenAt: true,
  expiresAt: true,
  revokedAt: true,
  user: {
    select: {
      id: true,
      role: true,
      status: true,
      email: true,
      phone: true,
      firstName: true,
      lastName: true,
      locale: true,
      merchantId: true,
      branchId: true,
      merchant: { select: { status: true, statusReason: true } },
    },
  },
} as const;

/**
 * Who a session belongs to, read anew: "live" with its actor, "ended" when it expired, was revoked or its user is
 * disabled, "missing" when there never was one. A live session's 12 hours begin again.
 */
export async function resolveSession(db: Db, key: SessionKey, now: Date): Promise<Resolved> {
  if ("id" in key && !isId(key.id)) return { state: "missing" };
  const where = "id" in key ? { id: key.id } : { tokenHash: hashSecret(key.token) };
  const row = await db.session.findUnique({ where, select: selection });
  if (!row) return { state: "missing" };
  if (row.revokedAt || row.expiresAt <= now || row.user.status !== "active") return { state: "ended" };
  if (now.getTime() - row.lastSeenAt.getTime() > TOUCH_SECONDS * 1000) {
    await db.session.updateMany({
      where: { id: row.id, revokedAt: null },
      data: { lastSeenAt: now, expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000) },
    });
  }
  const { user } = row;
  return {
    state: "live",
    actor: {
      userId: user.id,
      role: user.role,
      email: user.email,
      phone: user.phone,
      firstName: user.firstName,
      lastName: user.lastName,
      locale: isLocale(user.locale) ? user.locale : null,
      merchantId: user.merchantId,
      merchantStatus: user.merchant?.status ?? null,
      merchantStatusReason: user.merchant?.statusReason ?? null,
      branchId: user.branchId,
      sessionId: row.id,
      handle: row.handle,
    },
  };
}

/** Ends every session of a user but one. Answers how many ended. */
export async function endSessions(
  db: Db | Tx,
  userId: string,
  except: string | null,
  now: Date,
): Promise<number> {
  const { count } = await db.session.updateMany({
    where: { userId, revokedAt: null, ...(except ? { id: { not: except } } : {}) },
    data: { revokedAt: now },
  });
  return count;
}

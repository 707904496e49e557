import type { Db } from "@/lib/db/client";
import type { Role } from "@/lib/domain/roles";
import { hashSecret } from "./secrets";

export type WebSession = { userId: string; sessionId: string; handle: string; role: Role };

/**
 * Turns a fresh session's token into a web session, once: the token stops working and the cookie takes its place.
 * Answers null when the token is unknown, used or older than a minute.
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

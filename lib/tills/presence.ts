import type { Tx } from "@/lib/db/client";
import { isEntryMac } from "./entry-keys";
import type { SignedEntry } from "./model/offline";

/** How far a till's clock may run ahead, in milliseconds. */
export const AHEAD_MS = 5 * 60_000;

/** Why nothing shows that the worker whom an entry names made it at the till; null where it is shown. */
export type Absence = (entry: SignedEntry) => "worker_not_here" | "not_from_session" | null;

/**
 * Finds the employees who made entries at a till. The sender is accepted for the sender's own entries. Any
 * other employee must have had a session there, by PIN, at that time, and the entry must carry an HMAC under
 * that session's key. The till's key signs whatever its browser says, so a cashier could name a colleague, or
 * the owner, to get past the own limits. An expired session ended at its expiry, although nothing revoked it.
 */
export async function presence(
  tx: Tx,
  tillId: string,
  senderId: string,
  entries: readonly SignedEntry[],
): Promise<Absence> {
  const userIds = [...new Set(entries.map(({ iWorkerId }) => iWorkerId.toLowerCase()))];
  const others = userIds.filter((id) => id !== senderId);
  const sessions =
    others.length === 0
      ? []
      : await tx.session.findMany({
          where: { tillId, userId: { in: others } },
          select: { id: true, userId: true, createdAt: true, revokedAt: true, expiresAt: true },
        });
  return ({ iWorkerId, dOccurredAt, sSig, sMac }) => {
    const [id, at] = [iWorkerId.toLowerCase(), Date.parse(dOccurredAt)];
    if (id === senderId) return null;
    const present = sessions.filter(({ userId, createdAt, revokedAt, expiresAt }) => {
      const endedAt = Math.min(expiresAt.getTime(), revokedAt?.getTime() ?? Number.POSITIVE_INFINITY);
      return userId === id && createdAt.getTime() <= at + AHEAD_MS && endedAt >= at - AHEAD_MS;
    });
    if (present.length === 0) return "worker_not_here";
    const kept = sMac !== undefined && present.some((session) => isEntryMac(session.id, sSig, sMac));
    return kept ? null : "not_from_session";
  };
}

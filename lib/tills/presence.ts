import type { Tx } from "@/lib/db/client";
import type { SignedEntry } from "@/lib/domain/offline";

/** How far a till's clock may run ahead, in milliseconds. */
export const AHEAD_MS = 5 * 60_000;

/** Whether the worker whom an entry names was at the till when it was made. */
export type WasHere = (entry: SignedEntry) => boolean;

/**
 * Finds who was at a till: the sender of entries is accepted for their own; anybody else must have had a session there,
 * by PIN, at that time. The till's key signs whatever its browser says, so a cashier could name a colleague, or the
 * owner, to get past their own limits. An expired session proves nothing, because sessions are only extended while
 * there is a connection.
 */
export async function presence(
  tx: Tx,
  tillId: string,
  senderId: string,
  entries: readonly SignedEntry[],
): Promise<WasHere> {
  const userIds = [...new Set(entries.map(({ iWorkerId }) => iWorkerId.toLowerCase()))];
  const others = userIds.filter((id) => id !== senderId);
  const sessions =
    others.length === 0
      ? []
      : await tx.session.findMany({
          where: { tillId, userId: { in: others } },
          select: { userId: true, createdAt: true, revokedAt: true },
        });
  return ({ iWorkerId, dOccurredAt }) => {
    const [id, at] = [iWorkerId.toLowerCase(), Date.parse(dOccurredAt)];
    if (id === senderId) return true;
    return sessions.some(
      ({ userId, createdAt, revokedAt }) =>
        userId === id &&
        createdAt.getTime() <= at + AHEAD_MS &&
        (revokedAt === null || revokedAt.getTime() >= at - AHEAD_MS),
    );
  };
}

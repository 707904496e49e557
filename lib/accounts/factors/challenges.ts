import type { Db, Tx } from "@/lib/db/client";
import type { ChallengeKind } from "@/lib/db/generated/client";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";

const CHALLENGE_SECONDS = 5 * 60;

export type ChallengeOf = { kind: ChallengeKind; userId?: string | null; sessionId?: string | null };

/** Stores a new challenge, of which only the hash is kept. Answers its secret and until when it is good. */
export async function newChallenge(
  db: Db | Tx,
  { kind, userId = null, sessionId = null }: ChallengeOf,
  now: Date,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = newSecret();
  const expiresAt = new Date(now.getTime() + CHALLENGE_SECONDS * 1000);
  await db.authChallenge.create({
    data: { kind, userId, sessionId, secretHash: hashSecret(secret), expiresAt, createdAt: now },
    select: { id: true },
  });
  return { secret, expiresAt };
}

const good = (secret: string, now: Date) => ({
  secretHash: hashSecret(secret),
  usedAt: null,
  expiresAt: { gt: now },
});

/** The kind and the user of a challenge that is good, or null. It stays good. */
export async function readChallenge(
  db: Db,
  secret: string,
  now: Date,
): Promise<{ kind: ChallengeKind; userId: string | null } | null> {
  return db.authChallenge.findFirst({ where: good(secret, now), select: { kind: true, userId: true } });
}

/** Spends a challenge of this kind, user and session, once. Answers whether it was good. */
export async function spendChallenge(
  db: Db | Tx,
  secret: string,
  { kind, userId = null, sessionId = null }: ChallengeOf,
  now: Date,
): Promise<boolean> {
  const { count } = await db.authChallenge.updateMany({
    where: { ...good(secret, now), kind, userId, sessionId },
    data: { usedAt: now },
  });
  return count === 1;
}

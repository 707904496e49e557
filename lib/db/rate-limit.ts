import { RateLimiterPrisma, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/lib/domain/errors";
import type { Db } from "./client";

/** A limit that guards a secret: `points` tries a `seconds` window, kept in Postgres so it holds across instances. */
export type GuardLimit = { name: string; points: number; seconds: number };

const limiters = new WeakMap<Db, Map<string, RateLimiterPrisma>>();

function limiter(db: Db, limit: GuardLimit): RateLimiterPrisma {
  const known = limiters.get(db) ?? new Map<string, RateLimiterPrisma>();
  limiters.set(db, known);
  const found =
    known.get(limit.name) ??
    new RateLimiterPrisma({
      storeClient: db,
      tableName: "rateLimit",
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.seconds,
      clearExpiredByTimeout: false,
    });
  known.set(limit.name, found);
  return found;
}

function refused(result: unknown, limit: GuardLimit): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
  throw new DomainError("rate_limited", { seconds, limit: limit.points });
}

/** Counts one try. Throws rate_limited (with seconds to wait) when the window is used up. */
export async function consume(db: Db, limit: GuardLimit, key: string): Promise<void> {
  await limiter(db, limit)
    .consume(key, 1)
    .catch((result) => refused(result, limit));
}

/** Throws rate_limited when the window is used up already; counts nothing. */
export async function assertWithinLimit(db: Db, limit: GuardLimit, key: string): Promise<void> {
  const state = await limiter(db, limit).get(key);
  if (state && state.consumedPoints >= limit.points) refused(state, limit);
}

/** Forgets the tries of a key: after a success. */
export async function resetAttempts(db: Db, limit: GuardLimit, key: string): Promise<void> {
  await limiter(db, limit).delete(key);
}

import { RateLimiterPrisma, type RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/lib/domain/errors";
import type { Db, Tx } from "./client";

/** A limit that protects a secret: `points` attempts per window of `seconds`, shared by all instances through Postgres. */
export type GuardLimit = { name: string; points: number; seconds: number };

const limiter = (db: Db, limit: GuardLimit) =>
  new RateLimiterPrisma({
    storeClient: db,
    tableName: "rateLimit",
    keyPrefix: limit.name,
    points: limit.points,
    duration: limit.seconds,
    clearExpiredByTimeout: false,
  });

/** Throws a limiter's refusal as rate_limited (with the seconds to wait), and any error as it is. */
export function throwRateLimited(refused: unknown, limit: GuardLimit): never {
  // Not by its class: the limiters may be made by another bundle of this process.
  if (refused instanceof Error) throw refused;
  const seconds = Math.max(1, Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000));
  throw new DomainError("rate_limited", {
    seconds,
    limit: limit.points,
    policy: limit.name,
    window: limit.seconds,
  });
}

/** Counts `points` attempts. Answers how many are left. Throws rate_limited (with the seconds to wait). */
export async function consume(db: Db, limit: GuardLimit, key: string, points = 1): Promise<number> {
  const { remainingPoints } = await limiter(db, limit)
    .consume(key, points)
    .catch((result) => throwRateLimited(result, limit));
  return remainingPoints;
}

/** Takes one counted attempt back, after a success that leaves the others counted. */
export async function returnAttempt(db: Db, limit: GuardLimit, key: string): Promise<void> {
  await limiter(db, limit).reward(key, 1);
}

/** Throws rate_limited if the limit is reached, without counting an attempt. */
export async function assertWithinLimit(db: Db, limit: GuardLimit, key: string): Promise<void> {
  const state = await limiter(db, limit).get(key);
  if (state && state.consumedPoints >= limit.points) throwRateLimited(state, limit);
}

/** Resets the counted attempts of a key, after a success. */
export async function resetAttempts(db: Db, limit: GuardLimit, key: string): Promise<void> {
  await limiter(db, limit).delete(key);
}

/** Whether this is the first of its kind within an hour. A transaction that fails gives it back. */
export async function firstOfHour(tx: Tx, key: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    insert into rate_limits (key, points, expire) values (${`hourly-mail:${key}`}, 1, now() + interval '1 hour')
    on conflict (key) do update set expire = excluded.expire where rate_limits.expire <= now()
    returning 1`;
  return rows.length > 0;
}

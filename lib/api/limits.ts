import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { throwRateLimited } from "@/lib/db/rate-limit";
import { env } from "@/lib/env";
import { oncePerProcess } from "@/lib/observe/once";

/** Volume limits: requests in a minute, counted in memory to avoid a database write per request. */
const LIMITS = {
  session: 1200,
  money: 600,
  public: 300,
  // Pages, counted by the middleware for a session, a known device, or all strangers of an address.
  page: 1200,
  // Card-holder cookies of an address that the database is asked about.
  lookup: 300,
  // Health checks of load balancers and supervisors, which may share one address.
  probe: 1200,
  action: 300,
  exists: 30,
  // Requests that are cheap for a caller and expensive for this process: rendering a PDF, lines for the log.
  heavy: 30,
  // Secrets of API keys that an address presents and that open nothing. The database is asked about no more.
  guess: 300,
} as const;
export type LimitName = keyof typeof LIMITS;
type LimitHeaders = Record<string, string>;

// Each sign-in can give a browser a new device. So all devices of one address also share ten times the limit.
const DEVICES_OF_AN_ADDRESS = 10;

const limiterOf = (keyPrefix: string, points: number) =>
  new RateLimiterMemory({ points, duration: 60, keyPrefix });
const limitersOf = (times: number): Record<LimitName, RateLimiterMemory> =>
  Object.fromEntries(
    Object.entries(LIMITS).map(([name, points]) => [name, limiterOf(name, points * times)]),
  ) as Record<LimitName, RateLimiterMemory>;

const limiters = oncePerProcess("limits", () => limitersOf(1));
const devicesOfAddresses = oncePerProcess("limits of addresses", () => limitersOf(DEVICES_OF_AN_ADDRESS));

/** Counts a request. Answers the RateLimit-* headers; throws rate_limited (with the seconds to wait) above the limit. */
export const countRequest = (name: LimitName, key: string) => count(limiters[name], key);

export type Visitor = { device?: { id: string } | null | undefined; address: string };

/** Counts a stranger for the address, a known device for itself and for all those of its address. Throws rate_limited. */
export async function countVisitor(name: LimitName, { device, address }: Visitor): Promise<LimitHeaders> {
  if (!device) return countRequest(name, address);
  const headers = await countRequest(name, device.id);
  await count(devicesOfAddresses[name], address);
  return headers;
}

/** Counts a request of an API key. The limit is a setting of who runs the server. Throws rate_limited. */
export function countKeyRequest(keyId: string): Promise<LimitHeaders> {
  return count(
    oncePerProcess("limit of API keys", () => limiterOf("key", env().API_KEY_REQUESTS)),
    keyId,
  );
}

/** Counts a secret that an address presents. Answers what takes it back, for one that was good. Throws rate_limited. */
export async function countGuess(address: string): Promise<() => Promise<unknown>> {
  await count(limiters.guess, address);
  return () => limiters.guess.reward(address, 1);
}

/** The headers of an answer that was refused before it was counted: how many requests the address has left without a session. */
export async function limitsOf(address: string): Promise<LimitHeaders> {
  const state = await limiters.public.get(address);
  return headersOf(limiters.public, state ?? { remainingPoints: LIMITS.public, msBeforeNext: 60_000 });
}

/** The headers of a limit: those of draft 11 of the IETF, and those of the drafts before it. */
function headersOf(
  { points, duration, keyPrefix }: RateLimiterMemory,
  { remainingPoints, msBeforeNext }: Pick<RateLimiterRes, "remainingPoints" | "msBeforeNext">,
): LimitHeaders {
  const [left, seconds] = [Math.max(0, remainingPoints), Math.ceil(msBeforeNext / 1000)];
  return {
    "RateLimit-Policy": `"${keyPrefix}";q=${points};w=${duration}`,
    RateLimit: `"${keyPrefix}";r=${left};t=${seconds}`,
    "RateLimit-Limit": String(points),
    "RateLimit-Remaining": String(left),
    "RateLimit-Reset": String(seconds),
  };
}

async function count(limiter: RateLimiterMemory, key: string): Promise<LimitHeaders> {
  const { points, duration, keyPrefix } = limiter;
  try {
    return headersOf(limiter, await limiter.consume(key, 1));
  } catch (refused) {
    throwRateLimited(refused, { name: keyPrefix, points, seconds: duration });
  }
}

import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "@/lib/domain/errors";

/** Volume limits: requests per window of seconds, counted in memory to avoid a database write per request. */
const LIMITS = {
  session: { points: 1200, duration: 60 },
  money: { points: 600, duration: 60 },
  public: { points: 300, duration: 60 },
  // Pages, counted by the middleware for a session, a known device, or all strangers of an address.
  page: { points: 1200, duration: 60 },
  // Pages of a stranger who solved a proof of work.
  passedPage: { points: 300, duration: 60 },
  // Card-holder cookies of an address that the database is asked about.
  lookup: { points: 300, duration: 60 },
  // Health checks of load balancers and supervisors, which may share one address.
  probe: { points: 1200, duration: 60 },
  // Server actions of signed-out visitors.
  action: { points: 300, duration: 60 },
  exists: { points: 30, duration: 60 },
  // Requests that are cheap for a caller and expensive for this process: rendering a PDF, lines for the log.
  heavy: { points: 30, duration: 60 },
} as const;
export type LimitName = keyof typeof LIMITS;

const limiters = Object.fromEntries(
  Object.entries(LIMITS).map(([name, limit]) => [name, new RateLimiterMemory({ ...limit, keyPrefix: name })]),
) as Record<LimitName, RateLimiterMemory>;

/** Counts a request. Answers the RateLimit-* headers; throws rate_limited (with the seconds to wait) above the limit. */
export async function countRequest(name: LimitName, key: string): Promise<Record<string, string>> {
  const { points } = LIMITS[name];
  try {
    const state = await limiters[name].consume(key, 1);
    return {
      "RateLimit-Limit": String(points),
      "RateLimit-Remaining": String(state.remainingPoints),
      "RateLimit-Reset": String(Math.ceil(state.msBeforeNext / 1000)),
    };
  } catch (state) {
    if (!(state instanceof RateLimiterRes)) throw state;
    throw new DomainError("rate_limited", {
      seconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
      limit: points,
    });
  }
}

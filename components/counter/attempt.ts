import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import type { Answer, CounterCustomer, CounterMode, CounterPosting } from "./types";

/**
 * What the counter is about to post for a customer. The key is kept until the answer is definite, so a reload repeats
 * the same request and never posts it twice. The attempt belongs to its user and is not offered to anyone else.
 * `sent` is set once the request was sent.
 */
export type Attempt = {
  user: string;
  mode: CounterMode;
  customer: CounterCustomer;
  key: string;
  sent: CounterPosting | null;
};

const PREFIX = "counter.attempt";
const prefixOf = (user: string, mode: CounterMode) => `${PREFIX}.${user}.${mode}.`;
const storageKey = (user: string, mode: CounterMode, customerId: string) => prefixOf(user, mode) + customerId;

function read(name: string): Attempt | null {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(name) ?? "null") as Attempt | null;
    return typeof attempt?.key === "string" && typeof attempt.customer?.id === "string" ? attempt : null;
  } catch {
    return null;
  }
}

/** Stores an attempt. Without storage posting still works; only the repeat after a reload is lost. */
export function saveAttempt(attempt: Attempt): void {
  try {
    const { user, mode, customer } = attempt;
    sessionStorage.setItem(storageKey(user, mode, customer.id), JSON.stringify(attempt));
  } catch {}
}

export function clearAttempt({ user, mode, customer }: Omit<Attempt, "key" | "sent">): void {
  try {
    sessionStorage.removeItem(storageKey(user, mode, customer.id));
  } catch {}
}

/** The stored attempt for this customer, or a new one with its own key. */
export function loadOrCreateAttempt(user: string, mode: CounterMode, customer: CounterCustomer): Attempt {
  const stored = read(storageKey(user, mode, customer.id));
  const attempt = stored ?? { user, mode, customer, key: newIdempotencyKey(), sent: null };
  if (!stored) saveAttempt(attempt);
  return attempt;
}

/** An attempt of this user and mode that was sent and never answered, to continue after a reload; or null. */
export function findUnansweredAttempt(user: string, mode: CounterMode): Attempt | null {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(user, mode)));
    return names.map(read).find((attempt) => attempt?.sent) ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether the request was rate-limited. The server then did not look up its key, so an earlier, unanswered request with
 * the same key may still have been posted.
 */
export function isRateLimited(answer: Answer<unknown>): boolean {
  return answer.kind === "refused" && answer.code === "rate_limited";
}

import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import { ATTEMPT_PREFIX } from "@/components/session/stored-session";
import type { Tender } from "@/lib/domain/tender";
import type { Place } from "./place";
import type { CounterCustomer, CounterMode, CounterPosting } from "./types";

/**
 * What the counter is about to post for a customer. The key is kept until the answer is definite, so a reload repeats
 * the same request and never posts it twice. The attempt belongs to its user and is not offered to anyone else. `sent`
 * is set once the request was sent; `typed` is only kept across a reload after which the same user continues.
 */
export type Attempt = {
  user: string;
  mode: CounterMode;
  customer: CounterCustomer;
  key: string;
  sent: CounterPosting | null;
  typed?: TypedForm;
};

/** What a form held that was not sent. */
type TypedForm = { amount: string; saleRef: string; tender: Tender | null; place: Place };

const prefixOf = (user: string) => `${ATTEMPT_PREFIX}.${user}.`;
const storageKey = (user: string, mode: CounterMode, customerId: string) =>
  `${prefixOf(user)}${mode}.${customerId}`;

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

/** The stored attempt for this customer, or a new one with its own key, which is stored once it is sent. */
export function loadOrCreateAttempt(user: string, mode: CounterMode, customer: CounterCustomer): Attempt {
  const stored = read(storageKey(user, mode, customer.id));
  return stored ?? { user, mode, customer, key: newIdempotencyKey(), sent: null };
}

/**
 * An attempt of this user to continue after a reload: one that was sent and never answered, or what was typed before the
 * till asked who is there; or null.
 */
export function findUnansweredAttempt(user: string): Attempt | null {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(user)));
    return names.map(read).find((attempt) => attempt?.sent ?? attempt?.typed) ?? null;
  } catch {
    return null;
  }
}

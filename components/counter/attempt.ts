import type { Answer, CounterCustomer, CounterMode, CounterPosting } from "./types";

/**
 * What the counter is about to post for a customer. The key stays until the answer is definite, so a reload repeats
 * the same request and never doubles it; it counts for the user who made it, so another one is never offered it.
 * `sent` is there once the request went out.
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
const nameOf = (user: string, mode: CounterMode, customerId: string) => prefixOf(user, mode) + customerId;

function read(name: string): Attempt | null {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(name) ?? "null") as Attempt | null;
    return typeof attempt?.key === "string" && typeof attempt.customer?.id === "string" ? attempt : null;
  } catch {
    return null;
  }
}

/** Keeps an attempt; a browser that keeps nothing still posts, and loses only the repeat after a reload. */
export function keepAttempt(attempt: Attempt): void {
  try {
    const { user, mode, customer } = attempt;
    sessionStorage.setItem(nameOf(user, mode, customer.id), JSON.stringify(attempt));
  } catch {}
}

export function forgetAttempt({ user, mode, customer }: Omit<Attempt, "key" | "sent">): void {
  try {
    sessionStorage.removeItem(nameOf(user, mode, customer.id));
  } catch {}
}

/** The attempt for this customer that stands already, else a new one with a key of its own. */
export function openAttempt(user: string, mode: CounterMode, customer: CounterCustomer): Attempt {
  const kept = read(nameOf(user, mode, customer.id));
  const attempt = kept ?? { user, mode, customer, key: newKey(), sent: null };
  if (!kept) keepAttempt(attempt);
  return attempt;
}

/** An attempt of this user and mode that went out and was never answered: what a reload goes on with. */
export function unansweredAttempt(user: string, mode: CounterMode): Attempt | null {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(user, mode)));
    return names.map(read).find((attempt) => attempt?.sent) ?? null;
  } catch {
    return null;
  }
}

/** A key nobody else makes; randomUUID is missing where the page came over plain http. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whether a request was turned away before anybody looked for its key: nothing is known then of an earlier one with the
 * same key that was never answered.
 */
export function isUnread(answer: Answer<unknown>): boolean {
  return answer.kind === "refused" && answer.code === "rate_limited";
}

import type { CounterCustomer, CounterMode, Posting } from "./types";

/**
 * What the counter is about to post for a customer. The key stays until the answer is definite, so a reload repeats
 * the same request and never doubles it. `sent` is there once the request went out.
 */
export type Attempt = { mode: CounterMode; customer: CounterCustomer; key: string; sent: Posting | null };

const PREFIX = "counter.attempt";
const nameOf = (mode: CounterMode, customerId: string) => `${PREFIX}.${mode}.${customerId}`;

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
    sessionStorage.setItem(nameOf(attempt.mode, attempt.customer.id), JSON.stringify(attempt));
  } catch {}
}

export function forgetAttempt(mode: CounterMode, customerId: string): void {
  try {
    sessionStorage.removeItem(nameOf(mode, customerId));
  } catch {}
}

/** The attempt for this customer that stands already, else a new one with a key of its own. */
export function openAttempt(mode: CounterMode, customer: CounterCustomer): Attempt {
  const kept = read(nameOf(mode, customer.id));
  const attempt = kept ?? { mode, customer, key: newKey(), sent: null };
  if (!kept) keepAttempt(attempt);
  return attempt;
}

/** An attempt of this mode that went out and was never answered: what a reload goes on with. */
export function unansweredAttempt(mode: CounterMode): Attempt | null {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(`${PREFIX}.${mode}.`));
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

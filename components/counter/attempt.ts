import { ATTEMPT_PREFIX, readStored } from "@/components/accounts/session/stored-session";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import type { Tender } from "@/lib/ledger/model/tender";
import type { CounterCustomer, CounterMode, CounterPosting } from "./types";

/** A posting of this user. Its key stays until the answer is definite: a reload posts nothing twice. */
export type Attempt = {
  user: string;
  mode: CounterMode;
  customer: CounterCustomer;
  key: string;
  sent: CounterPosting | null;
  /** Only across a reload after which the same user continues. */
  typed?: { amount: string; saleRef: string; tender: Tender | null; place: Place };
};

const prefixOf = (user: string) => `${ATTEMPT_PREFIX}.${user}.`;

function read(name: string): Attempt | null {
  const attempt = readStored<Attempt>("sessionStorage", name);
  return typeof attempt?.key === "string" && typeof attempt.customer?.publicId === "string" ? attempt : null;
}

/** Also finds names of an earlier version (private ids), or a top-up would be sent again under a new key. */
function storedName({ user, mode, customer: { publicId } }: Omit<Attempt, "key" | "sent">): string {
  const [prefix, own] = [`${prefixOf(user)}${mode}.`, `${prefixOf(user)}${mode}.${publicId}`];
  if (sessionStorage.getItem(own) !== null) return own;
  const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefix));
  return names.find((name) => read(name)?.customer.publicId === publicId) ?? own;
}

/** Stores an attempt. Without storage posting still works; only the repeat after a reload is lost. */
export function saveAttempt(attempt: Attempt): void {
  try {
    sessionStorage.setItem(storedName(attempt), JSON.stringify(attempt));
  } catch {}
}

export function clearAttempt(attempt: Omit<Attempt, "key" | "sent">): void {
  try {
    sessionStorage.removeItem(storedName(attempt));
  } catch {}
}

/** Removes what was typed, which is read once. Once the attempt was sent, it stays until it is answered. */
export function forgetTyped(attempt: Attempt): void {
  if (!attempt.sent) clearAttempt(attempt);
}

/** The stored attempt for this customer, or a new one with its own key, which is stored once it is sent. */
export function loadOrCreateAttempt(user: string, mode: CounterMode, customer: CounterCustomer): Attempt {
  const fresh = { user, mode, customer, key: newIdempotencyKey(), sent: null };
  try {
    return read(storedName(fresh)) ?? fresh;
  } catch {
    return fresh;
  }
}

/** An attempt to continue after a reload: sent and never answered, or typed before the till asked who is there. */
export function findUnansweredAttempt(user: string): Attempt | null {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(prefixOf(user)));
    return names.map(read).find((attempt) => attempt?.sent ?? attempt?.typed) ?? null;
  } catch {
    return null;
  }
}

export type Place = { merchantId: string; branchId: string };

const LAST_BRANCH_KEY = "counter.branch";

/** The id of the branch this device posted at last, or null: most devices stay at one counter all day. */
export function readLastBranch(): string | null {
  try {
    return localStorage.getItem(LAST_BRANCH_KEY);
  } catch {
    return null;
  }
}

export function saveLastBranch(id: string): void {
  try {
    localStorage.setItem(LAST_BRANCH_KEY, id);
  } catch {}
}

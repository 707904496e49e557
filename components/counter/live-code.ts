import type { CounterCustomer } from "./types";

const NAME = "counter.liveCode";
// A live code is accepted within 60 seconds.
const LASTS = 60_000;

type Kept = { id: string; code: string; at: number };

/** Keeps the live code that came with a `/topup` link, for the redeem that may follow. */
export function keepLiveCode(id: string, code: string): void {
  try {
    const kept: Kept = { id, code, at: Date.now() };
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {}
}

/** The live code that was kept for this customer, while it can still be accepted; else null. */
export function takeLiveCode(customer: Pick<CounterCustomer, "id" | "publicId">): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null") as Kept | null;
    if (!kept || Date.now() - kept.at > LASTS) return null;
    return kept.id === customer.id || kept.id === customer.publicId ? kept.code : null;
  } catch {
    return null;
  }
}

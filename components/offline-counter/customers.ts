import { type KeptCustomer, openStore } from "@/components/till-store/store";
import type { CustomerHit } from "@/lib/domain/counter";
import { cashValue } from "@/lib/domain/money";
import { KEPT_DAYS } from "@/lib/domain/offline-counter";
import type { CounterCustomer } from "../counter/types";

const KEPT_MS = KEPT_DAYS * 24 * 60 * 60 * 1000;
const MOST_HITS = 20;

/**
 * Remembers a customer whom the counter has just fetched, with the balance as of now. Only what a top-up needs is
 * stored.
 */
export async function rememberCustomer(customer: CounterCustomer, now = Date.now()): Promise<void> {
  const { id, publicId, fullName, balance, rate, limits, merchant, status = "active" } = customer;
  const db = await openStore();
  const kept = { id, publicId, fullName, balance, rate, limits, merchant, status, asOf: now, metAt: now };
  await db.put("customers", kept);
}

/** Takes over a balance that the server answered for a customer who is kept. */
export async function noteBalance(customerId: string, balance: number, now = Date.now()): Promise<void> {
  const tx = (await openStore()).transaction("customers", "readwrite");
  const kept = await tx.store.get(customerId);
  if (kept) await tx.store.put({ ...kept, balance, asOf: now, metAt: now });
  await tx.done;
}

/** The customer with this private or public id, unless the till met them more than 30 days ago. */
export async function findKept(id: string, now = Date.now()): Promise<KeptCustomer | null> {
  const db = await openStore();
  const kept = (await db.get("customers", id)) ?? (await db.getFromIndex("customers", "publicId", id));
  return kept && now - kept.metAt < KEPT_MS ? kept : null;
}

/** The points of a customer's unsent top-ups. */
async function waitingFor(customerId: string): Promise<number> {
  const entries = await (await openStore()).getAllFromIndex("waiting", "customer", customerId);
  return entries.reduce((sum, { entry }) => sum + entry.sPoints, 0);
}

/** A stored customer as the counter shows them: the balance includes unsent top-ups. */
export async function asServed(kept: KeptCustomer): Promise<CounterCustomer> {
  const { asOf: _asOf, metAt: _metAt, ...customer } = kept;
  const balance = customer.balance + (await waitingFor(customer.id));
  const contact = { email: null, phone: null, kept: true } as const;
  return { ...customer, balance, cashValue: cashValue(balance, customer.rate), ...contact };
}

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The kept customers whose name or Customer ID contains the text, those met last first. */
export async function searchKept(term: string, now = Date.now()): Promise<CustomerHit[]> {
  const db = await openStore();
  const sought = plain(term);
  const met = await db.getAllFromIndex("customers", "metAt", IDBKeyRange.lowerBound(now - KEPT_MS));
  const found = met.filter(
    ({ fullName, publicId, status }) =>
      status !== "erased" && (plain(fullName).includes(sought) || publicId.includes(sought)),
  );
  return Promise.all(
    found
      .reverse()
      .slice(0, MOST_HITS)
      .map(async (kept) => ({
        ...(await asServed(kept)),
        businessName: kept.merchant?.businessName ?? "",
        businessNameAr: kept.merchant?.businessNameAr ?? null,
      })),
  );
}

/** Forgets a customer, by the private or public id, whom the server no longer knows. */
export async function forgetCustomer(id: string): Promise<void> {
  const kept = await findKept(id);
  if (kept) await (await openStore()).delete("customers", kept.id);
}

/** Forgets whom the till has not met for 30 days. */
export async function forgetOldCustomers(now = Date.now()): Promise<void> {
  const tx = (await openStore()).transaction("customers", "readwrite");
  const old = await tx.store.index("metAt").getAllKeys(IDBKeyRange.upperBound(now - KEPT_MS));
  await Promise.all([...old.map((id) => tx.store.delete(id)), tx.done]);
}

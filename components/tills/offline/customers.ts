import type { CounterCustomer, CounterHit } from "@/components/counter/types";
import { cashValue } from "@/lib/domain/money";
import { KEPT_DAYS } from "@/lib/tills/model/offline-counter";
import { type KeptCustomer, openStore, type WaitingEntry } from "./store";

const KEPT_MS = KEPT_DAYS * 24 * 60 * 60 * 1000;
const MOST_HITS = 20;

/** Puts customers that an older page kept by the private id, which opens the card, under the public id. */
export async function rewriteCustomers(): Promise<void> {
  const tx = (await openStore()).transaction(["customers", "waiting", "cashier"], "readwrite");
  const customers = tx.objectStore("customers");
  const waiting = tx.objectStore("waiting");
  const cashier = tx.objectStore("cashier");
  for (const old of (await customers.getAll()).filter(({ id, publicId }) => id !== publicId)) {
    const { publicId } = old;
    const known = await customers.get(publicId);
    if (!known || known.asOf < old.asOf) await customers.put({ ...old, id: publicId });
    // An entry stays as it was signed, with the public id beside it.
    for (const entry of await waiting.index("customer").getAll(old.id))
      await waiting.put({ ...entry, publicId });
    await customers.delete(old.id);
  }
  for (const name of await cashier.getAllKeys()) {
    const list = await cashier.get(name);
    const rows = (list?.recent ?? []) as Record<string, unknown>[];
    if (!list || !rows.some((row) => "customerId" in row)) continue;
    const recent = rows.map(({ customerId: _, ...row }) => row);
    await cashier.put({ ...list, recent }, name);
  }
  await tx.done;
}

/** Remembers a customer whom the counter has just fetched. Only what a top-up needs is stored. */
export async function rememberCustomer(customer: CounterCustomer, now = Date.now()): Promise<void> {
  const { publicId, fullName, balance, rate, limits, merchant, status = "active" } = customer;
  const shown = { publicId, fullName, balance, rate, limits, merchant, status };
  await (await openStore()).put("customers", { ...shown, id: publicId, asOf: now, metAt: now });
}

/** Takes over a balance that the server answered for a customer who is kept. */
export async function noteBalance(publicId: string, balance: number, now = Date.now()): Promise<void> {
  const tx = (await openStore()).transaction("customers", "readwrite");
  const kept = await tx.store.index("publicId").get(publicId);
  if (kept) await tx.store.put({ ...kept, balance, asOf: now });
  await tx.done;
}

/** The customer by what the server said of the shop when it answered another one: the value of a point, limits, tenders. */
export function byRulesOf({ rate, limits, merchant }: KeptCustomer, customer: KeptCustomer): KeptCustomer {
  return { ...customer, rate, limits, merchant };
}

/** The customer with this public id, by the rules of the one met last; null if the till met them over 30 days ago. */
export async function findKept(publicId: string, now = Date.now()): Promise<KeptCustomer | null> {
  const { store } = (await openStore()).transaction("customers");
  const [kept, last] = await Promise.all([
    store.index("publicId").get(publicId),
    store.index("metAt").openCursor(IDBKeyRange.upperBound(now), "prev"),
  ]);
  if (!kept || now - kept.metAt >= KEPT_MS) return null;
  return last ? byRulesOf(last.value, kept) : kept;
}

/** The public id of the customer of an unsent top-up. */
export const publicIdOf = ({ publicId, entry }: WaitingEntry): string => publicId ?? entry.customerId;

/** A stored customer as the counter shows them: the balance includes unsent top-ups. */
export async function asServed(kept: KeptCustomer): Promise<CounterCustomer> {
  const { id: _id, asOf: _asOf, metAt: _metAt, ...customer } = kept;
  const waiting = await (await openStore()).getAll("waiting");
  const own = waiting.filter((one) => publicIdOf(one) === customer.publicId);
  const balance = own.reduce((sum, { entry }) => sum + entry.sPoints, customer.balance);
  // The held points are not known without a connection.
  const contact = { email: null, phone: null, held: 0, kept: true } as const;
  return { ...customer, balance, cashValue: cashValue(balance, customer.rate), ...contact };
}

const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The kept customers whose name or Customer ID contains the text, those met last first. */
export async function searchKept(term: string, now = Date.now()): Promise<CounterHit[]> {
  const db = await openStore();
  const sought = plain(term);
  const met = await db.getAllFromIndex("customers", "metAt", IDBKeyRange.lowerBound(now - KEPT_MS));
  // An older page beside this one may have stored a customer a second time.
  const last = new Map(met.map((one) => [one.publicId, one]));
  const found = [...last.values()].filter(
    ({ fullName, publicId, status }) =>
      status !== "erased" && (plain(fullName).includes(sought) || publicId.includes(sought)),
  );
  return Promise.all(
    found
      .reverse()
      .slice(0, MOST_HITS)
      .map(async (kept) => {
        const { businessName = "", businessNameAr = null } = kept.merchant ?? {};
        return { ...(await asServed(kept)), businessName, businessNameAr };
      }),
  );
}

/** Forgets a customer whom the server no longer knows. */
export async function forgetCustomer(publicId: string): Promise<void> {
  const kept = await findKept(publicId);
  if (kept) await (await openStore()).delete("customers", kept.id);
}

/** Forgets whom the till has not met for 30 days. */
export async function forgetOldCustomers(now = Date.now()): Promise<void> {
  const tx = (await openStore()).transaction("customers", "readwrite");
  const old = await tx.store.index("metAt").getAllKeys(IDBKeyRange.upperBound(now - KEPT_MS));
  await Promise.all([...old.map((id) => tx.store.delete(id)), tx.done]);
}

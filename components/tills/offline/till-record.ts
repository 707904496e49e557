import { base64url } from "jose";
import { MAX_NUMBER_JUMP, type OfflineRules } from "@/lib/tills/model/offline-counter";
import { openStore, type TillRecord } from "./store";

/** Answers the server's last rules for keeping top-ups on this till. Null before the server's first answer. */
export async function readTillRecord(tillId: string): Promise<TillRecord | null> {
  const record = await (await openStore()).get("about", "till");
  return record?.tillId === tillId ? record : null;
}

/** Stores the server's rules for a till. Numbers only grow. The customers of another till are forgotten. */
export async function saveTillRecord(tillId: string, rules: OfflineRules, ahead: number): Promise<void> {
  const tx = (await openStore()).transaction(["about", "customers", "waiting"], "readwrite");
  const about = tx.objectStore("about");
  const before = await about.get("till");
  const same = before?.tillId === tillId;
  // If this browser was another till in between, its entries of this till are still stored, but not the last number.
  const kept = IDBKeyRange.bound([tillId, 0], [tillId, Number.POSITIVE_INFINITY]);
  const last = await tx.objectStore("waiting").openKeyCursor(kept, "prev");
  // The server refuses larger numbers: one that got into this store would be followed by refusals only.
  const most = rules.nextEntry + MAX_NUMBER_JUMP;
  const own = [same ? before.nextEntry : 1, (last?.key[1] ?? 0) + 1].filter((n) => n < most);
  const nextEntry = Math.max(rules.nextEntry, ...own);
  await about.put({ ...rules, nextEntry, tillId, ahead }, "till");
  if (before && !same) await tx.objectStore("customers").clear();
  await tx.done;
}

/** Writes down whose session this browser has, for what it sends while no page is open. */
export async function saveCashier(handle: string): Promise<void> {
  await (await openStore()).put("cashier", { handle }, "now");
}

/** Keeps the latest rows of a list for the session with this handle; they go with it. */
export async function saveRecent(handle: string, list: string, recent: unknown[]): Promise<void> {
  await (await openStore()).put("cashier", { handle, recent, at: Date.now() }, `recent.${list}`);
}

/** The rows that were kept last for this session, and when, in milliseconds; none, and null, without any. */
export async function readRecent<Row>(handle: string, list: string) {
  const kept = await (await openStore()).get("cashier", `recent.${list}`);
  if (kept?.handle !== handle) return { data: [], asOf: null };
  return { data: (kept.recent ?? []) as Row[], asOf: kept.at ?? null };
}

/** The handle that `saveCashier` stored last, null before any. */
export async function readCashierHandle(): Promise<string | null> {
  return (await (await openStore()).get("cashier", "now"))?.handle ?? null;
}

// It is in the cashier's store, which is cleared when that session ends.
const ENTRY_KEY = "key";

/** Keeps the key (base64url) of a PIN's session until that expires. Scripts can use the kept key and cannot read its bytes. */
export async function keepEntryKey(handle: string, bytes: string, until: string): Promise<void> {
  const raw = new Uint8Array(base64url.decode(bytes));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  await (await openStore()).put("cashier", { handle, key, until: Date.parse(until) }, ENTRY_KEY);
}

/** Removes the key if its session has expired, or is over by the session's handle. */
export async function forgetEntryKey(isOver: (handle: string) => boolean): Promise<void> {
  const tx = (await openStore()).transaction("cashier", "readwrite");
  const kept = await tx.store.get(ENTRY_KEY);
  if (kept && ((kept.until ?? 0) < Date.now() || isOver(kept.handle))) await tx.store.delete(ENTRY_KEY);
  await tx.done;
}

/** The HMAC (base64url) of a text under the key of the session with this handle; undefined without that key. */
export async function entryMac(handle: string, text: string): Promise<string | undefined> {
  await forgetEntryKey(() => false);
  const kept = await (await openStore()).get("cashier", ENTRY_KEY);
  if (!kept?.key || kept.handle !== handle) return undefined;
  const mac = await crypto.subtle.sign("HMAC", kept.key, new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(mac));
}

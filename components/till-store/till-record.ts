import type { OfflineRules } from "@/lib/domain/offline-counter";
import { openStore, type TillRecord } from "./store";

/** What the till may keep, as the server said it last; null before its first answer. */
export async function readTillRecord(tillId: string): Promise<TillRecord | null> {
  const record = await (await openStore()).get("about", "till");
  return record?.tillId === tillId ? record : null;
}

/**
 * Takes over what the server says of this till. Numbers only grow; a browser that was paired with another till before
 * forgets whom that one met.
 */
export async function saveTillRecord(tillId: string, rules: OfflineRules, ahead: number): Promise<void> {
  const tx = (await openStore()).transaction(["about", "customers"], "readwrite");
  const about = tx.objectStore("about");
  const before = await about.get("till");
  const same = before?.tillId === tillId;
  const nextEntry = Math.max(rules.nextEntry, same ? before.nextEntry : 1);
  await about.put({ ...rules, nextEntry, tillId, ahead }, "till");
  if (before && !same) await tx.objectStore("customers").clear();
  await tx.done;
}

/** Writes down whose session this browser has, for what it sends while no page is open. */
export async function saveCashier(handle: string): Promise<void> {
  await (await openStore()).put("cashier", { handle }, "now");
}

export async function readCashier(): Promise<string | null> {
  return (await (await openStore()).get("cashier", "now"))?.handle ?? null;
}

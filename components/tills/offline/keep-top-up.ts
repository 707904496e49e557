import { CompactSign } from "jose";
import type { CounterPosting } from "@/components/counter/types";
import type { SignedEntry } from "@/lib/tills/model/offline";
import { type Device, publicJwk } from "../device/device";
import { findKept } from "./customers";
import { type OfflineStore, openStore, type TillRecord, type WaitingEntry } from "./store";
import { entryMac } from "./till-record";

/** A top-up that the cashier entered without a connection. `session`: the public handle of the session that keeps it. */
type TopUpToKeep = CounterPosting & { key: string; session: string; workerId: string };

/** Why the till keeps nothing. `limit` in points. */
export type KeepRefusal = {
  refused: "off" | "unknown" | "blocked" | "aboveOne" | "aboveTotal";
  limit: number;
};

type KeepAnswer = { n: number } | KeepRefusal;

type Plan = { record: TillRecord; customerName: string };

async function planFor(db: OfflineStore, tillId: string, ask: TopUpToKeep): Promise<Plan | KeepAnswer> {
  const tx = db.transaction(["about", "waiting", "settled"]);
  const [record, same, settled, entries] = await Promise.all([
    tx.objectStore("about").get("till"),
    tx.objectStore("waiting").index("key").get(ask.key),
    tx.objectStore("settled").get(ask.key),
    tx.objectStore("waiting").getAll(),
  ]);
  await tx.done;
  // A page that was reloaded repeats what it had kept already.
  const known = same ?? settled;
  if (known) return { n: known.n };
  const refuse = (refused: KeepRefusal["refused"], limit = 0) => ({ refused, limit });
  if (record?.tillId !== tillId || record.maxTopUp === 0 || record.maxTotal === 0) return refuse("off");
  const customer = await findKept(ask.customerId);
  if (!customer) return refuse("unknown");
  if (customer.status !== "active") return refuse("blocked");
  if (ask.points > record.maxTopUp) return refuse("aboveOne", record.maxTopUp);
  const waiting = entries.reduce((sum, { entry }) => sum + entry.sPoints, 0);
  if (waiting + ask.points > record.maxTotal) return refuse("aboveTotal", record.maxTotal);
  return { record, customerName: customer.fullName };
}

async function signed({ keys }: Device, ask: TopUpToKeep, { nextEntry, ahead }: TillRecord) {
  const claims: Omit<SignedEntry, "sSig"> = {
    n: nextEntry,
    sKey: ask.key,
    iWorkerId: ask.workerId,
    customerId: ask.customerId,
    iBranchId: ask.branchId,
    sPoints: ask.points,
    eTender: ask.tender ?? "cash",
    ...(ask.saleRef ? { sSaleRef: ask.saleRef } : {}),
    dOccurredAt: new Date(Date.now() + ahead).toISOString(),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const sSig = await new CompactSign(bytes).setProtectedHeader({ alg: "ES256" }).sign(keys.privateKey);
  const sMac = await entryMac(ask.session, sSig);
  return { ...claims, sSig, ...(sMac ? { sMac } : {}) };
}

/** Writes an entry and takes its number in one transaction. False when another tab took the number meanwhile. */
async function put(db: OfflineStore, waiting: WaitingEntry): Promise<boolean> {
  // Strict: it is on the disk before the cashier sees it.
  const tx = db.transaction(["about", "waiting"], "readwrite", { durability: "strict" });
  const about = tx.objectStore("about");
  const record = await about.get("till");
  const ours = record?.tillId === waiting.tillId && record.nextEntry === waiting.n;
  if (ours) {
    await about.put({ ...record, nextEntry: waiting.n + 1 }, "till");
    await tx.objectStore("waiting").add(waiting);
  }
  await tx.done;
  return ours;
}

/** Keeps a signed top-up until the till is online, once for a key. Answers its number, or why not. */
export async function keepTopUp(device: Device, ask: TopUpToKeep): Promise<KeepAnswer> {
  const db = await openStore();
  const { keys } = device;
  const tillId = device.till.id;
  const { x: keyId } = await publicJwk(keys);
  // The lock only spares two tabs from signing for one number; the transaction decides.
  return navigator.locks.request("till-keep", async () => {
    for (;;) {
      const plan = await planFor(db, tillId, ask);
      if (!("record" in plan)) return plan;
      const entry = await signed(device, ask, plan.record);
      const { n, sKey: key } = entry;
      const waiting = { tillId, n, key, keys, keyId, entry, customerName: plan.customerName };
      if (await put(db, waiting)) return { n };
    }
  });
}

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { CounterCustomer, KeptOutcome } from "@/components/counter/types";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import type { SignedEntry } from "@/lib/tills/model/offline";
import { type OfflineRules, TILL_PAGES_CACHE, TILL_PAGES_LOCK } from "@/lib/tills/model/offline-counter";

type Known = Pick<CounterCustomer, "publicId" | "fullName" | "balance" | "rate" | "limits" | "merchant">;
/** The balance of `asOf` (milliseconds), without waiting top-ups. `id`: the public one (rewriteCustomers). */
export type KeptCustomer = Known & { id: string; status: CustomerStatus; asOf: number; metAt: number };

/** `keys` (`keyId`) signed the entry and make its till proof, even if this browser was paired again since. */
export type WaitingEntry = {
  tillId: string;
  n: number;
  key: string;
  keys: CryptoKeyPair;
  keyId: string;
  entry: SignedEntry;
  customerName: string;
  /** The customer's public id, if the entry was signed with the private id. */
  publicId?: string;
};

/** The server's answer for an entry. An entry that was not posted also has the data that the cashier must see. */
export type SettledEntry = {
  key: string;
  n: number;
  outcome: KeptOutcome | "replayed";
  code?: string;
  at: number;
  /** 1 until the cashier has read that it was not posted; absent otherwise. */
  unread?: 1;
  shown?: { customerName: string; points: number; occurredAt: string };
  /** The refused entry, with its signature. Absent where the server keeps it, and in an answer that an older build stored. */
  entry?: SignedEntry;
};

/** The till that owns the entries. `ahead`: milliseconds by which the server's clock is ahead of this one. */
export type TillRecord = OfflineRules & { tillId: string; ahead: number };

interface OfflineDb extends DBSchema {
  about: { key: "till"; value: TillRecord };
  /** `key`: the session's HMAC key, good until `until` in milliseconds. */
  cashier: {
    key: "now" | "key" | `recent.${string}`;
    value: { handle: string; recent?: unknown; at?: number; key?: CryptoKey; until?: number };
  };
  customers: { key: string; value: KeptCustomer; indexes: { publicId: string; metAt: number } };
  waiting: {
    key: [tillId: string, n: number];
    value: WaitingEntry;
    indexes: { key: string; customer: string };
  };
  settled: { key: string; value: SettledEntry; indexes: { at: number; unread: number } };
}
export type OfflineStore = IDBPDatabase<OfflineDb>;

let opened: Promise<OfflineStore> | null = null;

/** The till's store in this browser. One connection a page, which gives way when another version upgrades it. */
export function openStore(): Promise<OfflineStore> {
  opened ??= openDB<OfflineDb>("till-offline", 1, {
    upgrade: (db) => {
      db.createObjectStore("about");
      db.createObjectStore("cashier");
      const customers = db.createObjectStore("customers", { keyPath: "id" });
      customers.createIndex("publicId", "publicId");
      customers.createIndex("metAt", "metAt");
      const waiting = db.createObjectStore("waiting", { keyPath: ["tillId", "n"] });
      waiting.createIndex("key", "key", { unique: true });
      waiting.createIndex("customer", "entry.customerId");
      const settled = db.createObjectStore("settled", { keyPath: "key" });
      settled.createIndex("at", "at");
      settled.createIndex("unread", "unread");
    },
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      opened = null;
    },
    terminated: () => {
      opened = null;
    },
  }).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** Removes the data of the cashier whose session ends: the counter's pages, and the session's handle, rows and key. */
export async function forgetCashier(): Promise<void> {
  await navigator.locks.request(TILL_PAGES_LOCK, async () => {
    for (const name of "caches" in globalThis ? await caches.keys() : []) {
      if (name.startsWith(TILL_PAGES_CACHE)) await caches.delete(name);
    }
    await (await openStore()).clear("cashier");
  });
}

/** Removes the data of the cashier and the customers. Waiting top-ups stay until the server has them. */
export async function forgetTill(): Promise<void> {
  await forgetCashier();
  await (await openStore()).clear("customers");
}

/** How many top-ups this browser keeps that the server does not have yet. */
export const countWaiting = async (): Promise<number> => (await openStore()).count("waiting");

// A blocked store never answers.
const PATIENCE_MS = 5_000;

/** How many top-ups wait, as far as the store tells: 0 where it fails, so that the drawer can be counted without it. */
export async function countToTell(): Promise<number> {
  const silence = new Promise<number>((resolve) => setTimeout(resolve, PATIENCE_MS, 0));
  return Promise.race([countWaiting().catch(() => 0), silence]);
}

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { CounterLimits, MerchantChoice } from "@/lib/domain/counter";
import type { CustomerStatus } from "@/lib/domain/customers";
import type { SignedEntry } from "@/lib/domain/offline";
import type { OfflineRules } from "@/lib/domain/offline-counter";

/** A customer that was served at this till; times are milliseconds since 1970. */
export type KeptCustomer = {
  id: string;
  publicId: string;
  fullName: string;
  status: CustomerStatus;
  /** Points as of `asOf`, without what waits. */
  balance: number;
  asOf: number;
  metAt: number;
  /** Dirhams per point. */
  rate: number;
  limits: CounterLimits | undefined;
  merchant: MerchantChoice | null;
};

/**
 * A top-up that waits for the line: the entry as it is sent, and what the cashier reads of it. `keys` signed it and prove
 * the till that sends it, also after this browser was paired anew; `keyId` tells them from others.
 */
export type WaitingEntry = {
  tillId: string;
  n: number;
  key: string;
  keys: CryptoKeyPair;
  keyId: string;
  entry: SignedEntry;
  customerName: string;
};

/** What the server answered for an entry. Those that were not posted carry what the cashier has to see. */
export type SettledEntry = {
  key: string;
  n: number;
  outcome: "posted" | "replayed" | "inbox" | "refused";
  code?: string;
  at: number;
  /** 1 until the cashier has read that it was not posted; absent otherwise. */
  unread?: 1;
  shown?: { customerName: string; points: number; occurredAt: string };
  /** What the server refused, with its signature. Absent in what an older build stored, and in all that the server keeps. */
  entry?: SignedEntry;
};

/** The till whose entries these are. `ahead`: milliseconds by which the server's clock is ahead of this one. */
export type TillRecord = OfflineRules & { tillId: string; ahead: number };

interface OfflineDb extends DBSchema {
  about: { key: "till"; value: TillRecord };
  cashier: { key: "now" | `recent.${string}`; value: { handle: string; recent?: unknown; at?: number } };
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

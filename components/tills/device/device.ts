import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { writeMark } from "./mark";

/** The browser's key pair and the till that it proves. Scripts cannot read the private part. */
export type Device = {
  keys: CryptoKeyPair;
  till: { id: string; name: string; branch: string; merchant: string };
};

interface DeviceDb extends DBSchema {
  device: { key: "this"; value: Device };
}

async function inStore<T>(work: (db: IDBPDatabase<DeviceDb>) => Promise<T>): Promise<T> {
  const upgrade = (db: IDBPDatabase<DeviceDb>) => void db.createObjectStore("device");
  const db = await openDB<DeviceDb>("till-device", 1, { upgrade });
  return work(db).finally(() => db.close());
}

/** The till that this browser is, or was: null where it has no key. */
export const readDevice = (): Promise<Device | null> =>
  inStore(async (db) => (await db.get("device", "this")) ?? null);

/** Keeps the device, after the server has accepted its key, and marks this browser as a till. */
export async function keepDevice(device: Device): Promise<void> {
  await inStore((db) => db.put("device", device, "this"));
  writeMark("paired");
}

/** A P-256 key pair for signing. Its private part cannot be exported, so that it cannot leave this browser. */
export function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
}

/** Answers the public part as the JWK that a till proof carries and that pairing sends. */
export async function publicJwk({ publicKey }: CryptoKeyPair) {
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
  return { kty: "EC", crv: "P-256", x, y } as const;
}

import { createHmac } from "node:crypto";
import { acceptedMacs, macOf, secretsEqual } from "@/lib/secrets/secrets";

const macWith = (key: Buffer, signature: string): string =>
  createHmac("sha256", key).update(signature).digest("base64url");

/** The key (base64url, 32 bytes) of a PIN session's entries, made of AUTH_SECRET and its private id. */
export const entryKey = (sessionId: string): string => macOf("till-entries", sessionId).toString("base64url");

/** Whether `mac` (base64url) is the HMAC-SHA-256 of an entry's signature under the key of this session. */
export const isEntryMac = (sessionId: string, signature: string, mac: string): boolean =>
  acceptedMacs("till-entries", sessionId).some((key) => secretsEqual(mac, macWith(key, signature)));

/** The HMAC (base64url) that a browser with this key adds to an entry with this signature. */
export const entryMac = (key: string, signature: string): string =>
  macWith(Buffer.from(key, "base64url"), signature);

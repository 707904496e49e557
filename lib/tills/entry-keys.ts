import { createHmac, timingSafeEqual } from "node:crypto";
import { acceptedMacs, macOf } from "@/lib/secrets/secrets";

const macWith = (key: Buffer, signature: string): Buffer =>
  createHmac("sha256", key).update(signature).digest();

/**
 * The key of a session that a PIN opened (base64url, 32 bytes), with which its browser authenticates what it keeps without
 * a connection. It follows from AUTH_SECRET and the session's private id, so that nothing is stored.
 */
export const entryKey = (sessionId: string): string => macOf("till-entries", sessionId).toString("base64url");

/** Whether `mac` (base64url) is the HMAC-SHA-256 of an entry's signature under the key of this session. */
export function isEntryMac(sessionId: string, signature: string, mac: string): boolean {
  const given = Buffer.from(mac, "base64url");
  return acceptedMacs("till-entries", sessionId).some((key) => {
    const right = macWith(key, signature);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

/** The HMAC (base64url) that a browser with this key adds to an entry with this signature. */
export const entryMac = (key: string, signature: string): string =>
  macWith(Buffer.from(key, "base64url"), signature).toString("base64url");

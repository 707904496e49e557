import { base64url } from "jose";
import { openStore } from "./store";

// The key of the session that a PIN opened here. It is in the cashier's store, which is cleared when that session ends.
const KEY = "key";

/**
 * Keeps the key of a session (base64url) until the session expires. Scripts can use the kept key and cannot read its bytes.
 */
export async function keepEntryKey(handle: string, bytes: string, until: string): Promise<void> {
  const raw = new Uint8Array(base64url.decode(bytes));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  await (await openStore()).put("cashier", { handle, key, until: Date.parse(until) }, KEY);
}

/** Removes the key if its session has expired, or is over by the session's handle. */
export async function forgetEntryKey(isOver: (handle: string) => boolean): Promise<void> {
  const tx = (await openStore()).transaction("cashier", "readwrite");
  const kept = await tx.store.get(KEY);
  if (kept && ((kept.until ?? 0) < Date.now() || isOver(kept.handle))) await tx.store.delete(KEY);
  await tx.done;
}

/** The HMAC (base64url) of a text under the key of the session with this handle; undefined without that key. */
export async function entryMac(handle: string, text: string): Promise<string | undefined> {
  await forgetEntryKey(() => false);
  const kept = await (await openStore()).get("cashier", KEY);
  if (!kept?.key || kept.handle !== handle) return undefined;
  const mac = await crypto.subtle.sign("HMAC", kept.key, new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(mac));
}

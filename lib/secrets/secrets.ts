import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";

/** The purpose of a key. A key of one purpose is useless for any other. */
export type KeyPurpose =
  | "cookies"
  | "live-codes"
  | "mailed-codes"
  | "links"
  | "uploads"
  | "second-factors"
  | "devices"
  | "pin"
  | "pairing-codes"
  | "till-nonces"
  | "till-entries"
  | "webhooks";

type Key = Buffer | string;

const hmac = (secret: string, label: string): Buffer => createHmac("sha256", secret).update(label).digest();

/** How a purpose used AUTH_SECRET before keys were derived by HKDF. Values made then are still accepted. */
const BEFORE_HKDF: Partial<Record<KeyPurpose, (secret: string) => Key>> = {
  cookies: (secret) => secret,
  "live-codes": (secret) => hmac(secret, "live code of a card"),
  "mailed-codes": (secret) => secret,
  links: (secret) => hmac(secret, "freeze a card"),
  uploads: (secret) => `upload:${secret}`,
};

function derived(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `loyalty-wallet ${purpose}`, 32));
}

const cache = new Map<string, [Key, ...Key[]]>();

/** The keys of a purpose for these secrets (the present one first): HKDF's keys, then those of before HKDF. */
function keysFrom(purpose: KeyPurpose, secret: string, previous: string | undefined): [Key, ...Key[]] {
  const name = [purpose, secret, previous ?? ""].join("\n");
  const known = cache.get(name);
  if (known) return known;
  const secrets = previous ? [secret, previous] : [secret];
  const before = BEFORE_HKDF[purpose];
  const [key = derived(secret, purpose), ...others] = secrets.map((one) => derived(one, purpose));
  const keys: [Key, ...Key[]] = [key, ...others, ...(before ? secrets.map(before) : [])];
  cache.set(name, keys);
  return keys;
}

/** The keys that are accepted for a purpose, the one for new values first. */
function acceptedKeys(purpose: KeyPurpose): [Key, ...Key[]] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = env();
  return keysFrom(purpose, AUTH_SECRET, AUTH_SECRET_PREVIOUS);
}

/** The HMAC-SHA-256 of a text under the present key of a purpose. */
export function macOf(purpose: KeyPurpose, text: string): Buffer {
  return createHmac("sha256", acceptedKeys(purpose)[0]).update(text).digest();
}

/** The HMACs of a text under every accepted key of a purpose, the present one first. Any is a valid signature. */
export function acceptedMacs(purpose: KeyPurpose, text: string): Buffer[] {
  return acceptedKeys(purpose).map((key) => createHmac("sha256", key).update(text).digest());
}

/** The secrets of next-auth's cookie, the one for new cookies first. next-auth reads them before the settings are checked. */
export function cookieSecrets(): string[] | undefined {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = process.env;
  if (!AUTH_SECRET) return undefined;
  return keysFrom("cookies", AUTH_SECRET, AUTH_SECRET_PREVIOUS || undefined).map((key) =>
    typeof key === "string" ? key : key.toString("base64url"),
  );
}

const CIPHER = "aes-256-gcm";
const [IV_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts a text with the present key of a purpose. `context` (an owner's id) must be the same when it is opened. */
export function seal(purpose: KeyPurpose, text: string, context: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, acceptedKeys(purpose)[0], iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

function openWith(key: Key, sealed: Buffer, context: string): string | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    // Another key, or a changed value.
    return null;
  }
}

/** A sealed text, and whether its key is the present one; null when no accepted key opens it. */
export function unseal(
  purpose: KeyPurpose,
  sealed: string,
  context: string,
): { text: string; present: boolean } | null {
  const bytes = Buffer.from(sealed, "base64url");
  for (const [index, key] of acceptedKeys(purpose).entries()) {
    const text = openWith(key, bytes, context);
    if (text !== null) return { text, present: index === 0 };
  }
  return null;
}

/** The subject of a mailed link. A link for one subject is useless for another. */
export type LinkSubject = "email change" | "card device" | "mailbox";

const textOf = (subject: LinkSubject, id: string): string => `${subject}\n${id}`;

/** The part of a MAC that a mailed link carries. */
export const linkMac = (mac: Buffer): string => mac.toString("base64url").slice(0, 32);

/** The signed token of a mailed link about the record with this id. It is good as long as the record lets it. */
export function linkToken(subject: LinkSubject, id: string): string {
  return `${id}.${linkMac(macOf("links", textOf(subject, id)))}`;
}

/** The id in a mailed link's token. Throws link_invalid for a forged one. */
export function linkedId(subject: LinkSubject, token: string): string {
  const [id = ""] = token.split(".");
  const valid = acceptedMacs("links", textOf(subject, id)).some((mac) =>
    secretsEqual(token, `${id}.${linkMac(mac)}`),
  );
  if (!valid) throw new DomainError("link_invalid");
  return id;
}

/** A secret of 256 random bits in URL-safe Base64. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash of a secret: its SHA-256 in hex, which is enough for random secrets. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** Whether two secrets are equal, compared in constant time. */
export function secretsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

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

import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { env } from "@/lib/env";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 24;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 12;
const SECRET = /^wk_(?:live|test)_[0-9A-Za-z]{30}$/;

/** Only production has keys of real money, so that a key in a log says what it opens. */
const start = () => (env().APP_ENV === "production" ? "wk_live_" : "wk_test_");

/** The CRC32 of a text in six digits of base62. */
function checksumOf(text: string): string {
  let left = crc32(text);
  let digits = "";
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = LETTERS.charAt(left % LETTERS.length) + digits;
    left = Math.floor(left / LETTERS.length);
  }
  return digits;
}

/** Completes 24 characters of chance to a secret of this installation: `wk_live_`, the characters, and the checksum of both. */
export function keySecret(chance: string): string {
  const body = start() + chance;
  return body + checksumOf(body);
}

/** A new secret of an API key, with what the database keeps of it: its first characters and its hash. */
export function newKeySecret(): { secret: string; prefix: string; hash: Uint8Array<ArrayBuffer> } {
  const chance = Array.from({ length: SECRET_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length)));
  const secret = keySecret(chance.join(""));
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), hash: keyHash(secret) };
}

/** The stored hash of a secret, sha256 of the whole text, which is enough for 142 random bits. */
export const keyHash = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash("sha256").update(secret).digest());

/** Whether a text claims to be an API key, well formed or not. */
export const looksLikeKey = (text: string): boolean => /^wk_(?:live|test)_/i.test(text);

/** Whether a text can be a key of this installation, by its form and checksum. It asks no database. */
export function isKeySecret(text: string): boolean {
  if (!SECRET.test(text) || !text.startsWith(start())) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(body));
}

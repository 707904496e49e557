import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret of 256 random bits in URL-safe Base64. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash of a secret: its SHA-256 in hex, which is enough for random secrets. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** An authentication token for a pass (Apple requires at least 16 characters). */
export function newPassToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether two secrets are equal, compared in constant time. */
export function secretsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

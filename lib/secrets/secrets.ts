import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret of 256 random bits, in URL-safe letters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a secret: its SHA-256, in hex. Enough for secrets of full entropy. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A pass's authentication token (Apple asks for at least 16 characters). */
export function newPassToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export function secretsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

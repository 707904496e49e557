import { createHash, randomBytes } from "node:crypto";

/** A secret of 256 random bits, in URL-safe letters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a secret: its SHA-256, in hex. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

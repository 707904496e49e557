import { randomBytes, timingSafeEqual } from "node:crypto";

/** A pass's authentication token (Apple asks for at least 16 characters). */
export function newPassToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

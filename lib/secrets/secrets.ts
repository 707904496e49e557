import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { acceptedMacs, macOf } from "./keys";

/**
 * The subject of a mailed link: a change of a card's e-mail that the link stops, a card holder's device that
 * it ends, or a user's mailbox that it proves. A link for one subject is useless for another.
 */
export type LinkSubject = "email change" | "card device" | "mailbox";

const MAC_LENGTH = 32;
const textOf = (subject: LinkSubject, id: string): string => `${subject}\n${id}`;
const shortened = (mac: Buffer): string => mac.toString("base64url").slice(0, MAC_LENGTH);

/** The signed token of a mailed link about the record with this id. It is good as long as the record lets it. */
export function linkToken(subject: LinkSubject, id: string): string {
  return `${id}.${shortened(macOf("links", textOf(subject, id)))}`;
}

/** The id in a mailed link's token; null for a forged one. */
export function linkedId(subject: LinkSubject, token: string): string | null {
  const [id = ""] = token.split(".");
  const valid = acceptedMacs("links", textOf(subject, id)).some((mac) =>
    secretsEqual(token, `${id}.${shortened(mac)}`),
  );
  return valid ? id : null;
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

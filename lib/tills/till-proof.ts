import { createHash } from "node:crypto";
import { calculateJwkThumbprint, importJWK, type JWTHeaderParameters, jwtVerify } from "jose";
import { z } from "zod";
import type { Db } from "@/lib/db/client";
import type { ProvedTill } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { macOf, secretsEqual } from "@/lib/secrets/secrets";
import { publicKeySchema } from "./model/till";

/** By how many seconds a till's clock may be wrong. */
const LEEWAY_SECONDS = 60;
/** How long a nonce is valid, for tills with a wrong clock. No longer than a proof is remembered. */
const NONCE_SECONDS = 4 * 60;

const claimsSchema = z.object({
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  jti: z.string().min(1).max(200),
  /** The SHA-256 of the body; `ath` is that of the token. */
  bh: z.string().optional(),
  ath: z.string().optional(),
  nonce: z.string().optional(),
});

/** The request that a till proof must match: method, address without query, and the token beside it. */
type ProvedRequest = { method: string; url: string; token: string | null };

/** The base64url SHA-256 of a text or of bytes, as in the claims `ath` and `bh`. */
export const sha256 = (value: string | Buffer): string =>
  createHash("sha256").update(value).digest("base64url");

const invalid = (cause?: unknown) => new DomainError("invalid_dpop_proof", {}, [], { cause });

const nonceMac = (seconds: string): string => macOf("till-nonces", seconds).toString("base64url");

/** A nonce for a till whose clock is wrong: the proof that carries it is of this time. */
function newNonce(now: Date): string {
  const seconds = String(Math.floor(now.getTime() / 1000));
  return `${seconds}.${nonceMac(seconds)}`;
}

function isFresh(nonce: string, now: Date): boolean {
  const [seconds = "", mac = ""] = nonce.split(".");
  const age = now.getTime() / 1000 - Number(seconds);
  return secretsEqual(mac, nonceMac(seconds)) && age >= -1 && age < NONCE_SECONDS;
}

async function keyOf({ typ, jwk }: JWTHeaderParameters) {
  if (typ !== "dpop+jwt") throw invalid();
  // A till that sends its private key has lost it.
  if (jwk && "d" in jwk) throw new DomainError("malformed");
  return importJWK(publicKeySchema.parse(jwk), "ES256");
}

async function readProof(header: string) {
  // The times are judged by verifyProof: a nonce can stand in for them.
  const options = { algorithms: ["ES256"], clockTolerance: Number.MAX_SAFE_INTEGER };
  try {
    const { payload, protectedHeader } = await jwtVerify(header, keyOf, options);
    return { claims: claimsSchema.parse(payload), jwk: publicKeySchema.parse(protectedHeader.jwk) };
  } catch (cause) {
    throw cause instanceof DomainError ? cause : invalid(cause);
  }
}

function sameAddress(htu: string, url: string): boolean {
  if (!URL.canParse(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origin + pathname === url;
}

/**
 * Verifies a DPoP proof (RFC 9449) of this request: signature, method, address, token and time. The caller checks that the key is
 * a till's, that the proof is new and that the body is the signed one.
 * Throws invalid_dpop_proof, use_dpop_nonce (with the nonce) for a wrong clock, malformed for a private key.
 */
export async function verifyProof(
  header: string,
  of: ProvedRequest,
  now: Date,
): Promise<{ thumbprint: string; claims: z.output<typeof claimsSchema> }> {
  if (header.length > 4096) throw invalid();
  const { claims, jwk } = await readProof(header);
  const ath = of.token === null ? undefined : sha256(of.token);
  if (claims.htm !== of.method || !sameAddress(claims.htu, of.url) || claims.ath !== ath) throw invalid();
  const skew = Math.abs(now.getTime() / 1000 - claims.iat);
  const timely = claims.nonce === undefined ? skew <= LEEWAY_SECONDS : isFresh(claims.nonce, now);
  if (!timely) throw new DomainError("use_dpop_nonce", { nonce: newNonce(now) });
  return { thumbprint: await calculateJwkThumbprint(jwk), claims };
}

const tillSelect = { id: true, merchantId: true, branchId: true, name: true, retiredAt: true } as const;

/** The till that has this key, or had it before it was paired again, or null. */
export async function tillOfKey(db: Db, thumbprint: string): Promise<ProvedTill | null> {
  const where = { thumbprint };
  const own = await db.till.findUnique({ where, select: { ...tillSelect, publicKey: true } });
  const found = own
    ? { publicKey: own.publicKey, replacedAt: null, till: own }
    : await db.tillFormerKey.findUnique({ where, include: { till: { select: tillSelect } } });
  if (!found) return null;
  const publicKey = found.publicKey as Record<string, unknown>;
  return { ...found.till, publicKey, thumbprint, replacedAt: found.replacedAt };
}

/** How long a proof is remembered, in seconds: by then its time or its nonce is too old. */
const REMEMBERED_SECONDS = 5 * 60;

/**
 * The till whose present or former key signed this proof, also a retired one, and the signed hash of the body (base64url
 * SHA-256). Throws invalid_dpop_proof for a key of no till and for a proof that was used before, and as verifyProof.
 */
export async function proveTill(
  db: Db,
  header: string,
  of: ProvedRequest,
  now: Date,
): Promise<{ till: ProvedTill; bodyHash: string | undefined }> {
  const { thumbprint, claims } = await verifyProof(header, of, now);
  const till = await tillOfKey(db, thumbprint);
  // Only a till's proofs are kept: strangers' would fill the table.
  if (!till) throw invalid();
  const hash = sha256(`${thumbprint}\n${claims.jti}`);
  const expiresAt = new Date(now.getTime() + REMEMBERED_SECONDS * 1000);
  // For all servers, of which the first takes it.
  const { count } = await db.tillProof.createMany({ data: [{ hash, expiresAt }], skipDuplicates: true });
  if (count === 0) throw invalid();
  return { till, bodyHash: claims.bh };
}

import { randomUUID } from "node:crypto";
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Till, User } from "@/lib/db/generated/client";
import { sha256 } from "@/lib/tills/till-proof";
import { contextOf, type MerchantFixture } from "./factories";

/** The key pair of a till's browser. */
export type TillKey = { privateKey: CryptoKey; jwk: JWK };

export async function newTillKey(): Promise<TillKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey) };
}

export type TillFixture = { till: Till; key: TillKey };

/** A paired till of the fixture's branch. */
export async function makeTill(
  db: Db,
  { merchant, branch }: Pick<MerchantFixture, "merchant" | "branch">,
): Promise<TillFixture> {
  const key = await newTillKey();
  const till = await db.till.create({
    data: {
      merchantId: merchant.id,
      branchId: branch.id,
      name: `Till ${randomUUID().slice(0, 8)}`,
      publicKey: { ...key.jwk },
      thumbprint: await calculateJwkThumbprint(key.jwk),
      pairedAt: new Date(),
    },
  });
  return { till, key };
}

export type ProofParts = {
  method?: string;
  origin?: string;
  /** The path of the request; lib/testing/calls sends to this one. */
  path?: string;
  /** The body as it is sent. */
  body?: unknown;
  raw?: string | Uint8Array;
  token?: string;
  /** Further or other claims and header members; undefined removes one. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
};

/** The DPoP header of a request. */
export async function proofOf(
  { privateKey, jwk }: TillKey,
  {
    method = "GET",
    path = "/api/test",
    origin = "http://localhost:3000",
    body,
    raw,
    token,
    claims,
    header,
  }: ProofParts = {},
): Promise<{ DPoP: string }> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const payload = {
    htm: method,
    htu: `${origin}${path}`,
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    ...(content === undefined ? {} : { bh: sha256(Buffer.from(content as string)) }),
    ...(token ? { ath: sha256(token) } : {}),
    ...claims,
  };
  const signer = new SignJWT(payload).setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk, ...header });
  return { DPoP: await signer.sign(privateKey) };
}

/** The context of a request by this user at this till. */
export function contextAt(
  db: Db,
  user: User,
  { till }: TillFixture,
  overrides: Partial<Omit<Context, "actor">> = {},
): Context {
  const { id, merchantId, branchId, name, retiredAt, publicKey, thumbprint } = till;
  const proved = {
    id,
    merchantId,
    branchId,
    name,
    retiredAt,
    publicKey: publicKey as Record<string, unknown>,
    thumbprint: thumbprint ?? "",
    replacedAt: null,
  };
  return contextOf(db, user, { till: proved, ...overrides });
}

/** A compact JWS over a payload, as a till signs what it keeps. */
export async function signEntry({ privateKey }: TillKey, payload: object): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "ES256" })
    .sign(privateKey);
}

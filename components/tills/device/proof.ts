import { base64url, SignJWT } from "jose";
import { publicJwk } from "./device";

/** The base64url SHA-256, as in the claims `ath` and `bh`. */
async function sha256(value: string | ArrayBuffer): Promise<string> {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * The request that a till proof signs: its address, its token (null without one), and the bytes of its body
 * if they are known.
 */
export type ProofOf = {
  method: string;
  url: URL;
  token: string | null;
  body?: ArrayBuffer;
  nonce?: string;
};

// The milliseconds by which the server's clock is ahead of this one. It is 0 until the server refuses a till
// proof because of its time.
let ahead = 0;

/** Takes the server's time from an answer, for later till proofs. */
export function adoptServerTime(answer: Response): void {
  const time = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(time)) ahead = time - Date.now();
}

/** Answers the DPoP header (RFC 9449) of one request by this device. It is valid once. */
export async function makeProof(keys: CryptoKeyPair, of: ProofOf): Promise<string> {
  const { method, url, token, body, nonce } = of;
  const claims = {
    htm: method,
    htu: url.origin + url.pathname,
    jti: crypto.randomUUID(),
    ...(body?.byteLength ? { bh: await sha256(body) } : {}),
    ...(token ? { ath: await sha256(token) } : {}),
    ...(nonce ? { nonce } : {}),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: await publicJwk(keys) })
    .setIssuedAt(new Date(Date.now() + ahead))
    .sign(keys.privateKey);
}

import { base64url, SignJWT } from "jose";
import type { Send } from "@/lib/api/connection";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { type Device, publicJwk, readDevice } from "./device";
import { markRetired, writeMark } from "./mark";

/** The base64url SHA-256, as in the claims `ath` and `bh`. */
async function sha256(value: string | ArrayBuffer): Promise<string> {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * The request that a till proof signs: its address, its token (null without one), and the bytes of its body
 * if they are known.
 */
type ProofOf = {
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
function adoptServerTime(answer: Response): void {
  const time = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(time)) ahead = time - Date.now();
}

/** Answers the DPoP header (RFC 9449) of one request by this device. It is valid once. */
async function makeProof(keys: CryptoKeyPair, of: ProofOf): Promise<string> {
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

const tokenOf = (headers: Headers): string | null =>
  (headers.get("authorization") ?? "").trim().replace(/^Bearer\s+/i, "") || null;

async function bytesOf(body: RequestInit["body"]): Promise<ArrayBuffer | undefined> {
  return body ? new Response(body).arrayBuffer() : undefined;
}

async function isRefusedProof(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null && "code" in body && body.code === "invalid_dpop_proof";
}

/**
 * Sends a request with a till proof by these keys. If this clock is wrong, it repeats with the server's
 * nonce. A refused proof is made again once: a browser whose connection broke sends the same request again by itself, and
 * the server accepts a proof once.
 */
export async function sendSigned(
  keys: CryptoKeyPair,
  url: URL,
  init: RequestInit = {},
  send: Send = (to, how) => fetch(to, how),
): Promise<Response> {
  const headers = new Headers(init.headers);
  const { method = "GET" } = init;
  const body = await bytesOf(init.body);
  const of = { method, url, token: tokenOf(headers), body };
  const attempt = async (nonce?: string) => {
    headers.set("DPoP", await makeProof(keys, { ...of, nonce }));
    return send(url.href, { ...init, headers });
  };
  const answer = await attempt();
  const nonce = answer.status === 401 ? answer.headers.get("dpop-nonce") : null;
  if (nonce === null) return (await isRefusedProof(answer)) ? attempt() : answer;
  adoptServerTime(answer);
  return attempt(nonce);
}

/** Sends a request with a till proof by these keys, for the API client. */
export const sendBy =
  (keys: CryptoKeyPair): Send =>
  (path, init) =>
    sendSigned(keys, new URL(path, location.href), init);

/** Asks the server about this till with a fresh till proof. Answers whether the key still belongs to a till. */
async function isStillTill(keys: CryptoKeyPair): Promise<boolean> {
  const answer = await sendSigned(keys, new URL("/api/tills/me", window.location.href), {
    cache: "no-store",
    headers: TUNNEL_HEADER,
  });
  return !(await isRefusedProof(answer));
}

/**
 * Sends a request without a till proof, because the browser's store of the key failed (`cause`): a counter without a till
 * works as well. Of what needs the proof no answer came, since the session is not over. Throws the cause then.
 */
async function unsignedFetch(path: string, init: RequestInit, cause: unknown): Promise<Response> {
  const answer = await fetch(path, init);
  if (await isRefusedProof(answer)) throw cause;
  return answer;
}

/**
 * `fetch` with the till proof. If the server no longer knows the key, it marks the browser as retired and
 * sends the same request without a till proof. This is safe, because the server did not read the refused
 * request.
 */
export async function signedFetch(path: string, init: RequestInit = {}): Promise<Response> {
  let device: Device | null;
  try {
    device = await readDevice();
  } catch (cause) {
    return unsignedFetch(path, init, cause);
  }
  if (!device) {
    writeMark(null);
    return fetch(path, init);
  }
  const answer = await sendSigned(device.keys, new URL(path, window.location.href), init);
  if (!(await isRefusedProof(answer)) || (await isStillTill(device.keys))) return answer;
  await markRetired();
  return fetch(path, init);
}

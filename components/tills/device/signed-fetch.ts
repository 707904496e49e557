import { base64url, SignJWT } from "jose";
import { type Send, sendPlain } from "@/lib/api/connection";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { type Device, publicJwk, readDevice } from "./device";
import { markRetired, writeMark } from "./mark";

/** The base64url SHA-256, as in the claims `ath` and `bh`. */
async function sha256(bytes: BufferSource): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

// The milliseconds by which the server's clock is ahead of this one; 0 until the server refuses a till proof for its time.
let ahead = 0;

async function isRefusedProof(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const body: Promise<{ code?: unknown } | null> = answer.clone().json();
  return (await body.catch(() => null))?.code === "invalid_dpop_proof";
}

/** Sends a request with a till proof by these keys, a DPoP header (RFC 9449). */
export async function sendSigned(
  keys: CryptoKeyPair,
  url: URL,
  init: RequestInit = {},
  send: Send = sendPlain,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = headers.get("authorization");
  const body = await new Response(init.body).arrayBuffer();
  const jwk = await publicJwk(keys);
  const attempt = async (nonce?: string) => {
    const claims = {
      htm: init.method ?? "GET",
      htu: url.origin + url.pathname,
      jti: crypto.randomUUID(),
      bh: body.byteLength > 0 ? await sha256(body) : undefined,
      ath: token ? await sha256(new TextEncoder().encode(token)) : undefined,
      nonce,
    };
    const proof = await new SignJWT(claims)
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
      .setIssuedAt(new Date(Date.now() + ahead))
      .sign(keys.privateKey);
    headers.set("DPoP", proof);
    return send(url.href, { ...init, headers });
  };
  const answer = await attempt();
  const nonce = answer.status === 401 ? answer.headers.get("dpop-nonce") : null;
  // A browser whose connection broke repeats a request by itself, and the server accepts a proof once.
  if (nonce === null) return (await isRefusedProof(answer)) ? attempt() : answer;
  const time = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(time)) ahead = time - Date.now();
  return attempt(nonce);
}

/** Sends a request with a till proof by these keys, for the API client. */
export const sendBy =
  (keys: CryptoKeyPair): Send =>
  (path, init) =>
    sendSigned(keys, new URL(path, location.href), init);

/** `fetch` with the till proof. If the server no longer knows the key, the browser is a retired till. */
export async function signedFetch(path: string, init: RequestInit = {}): Promise<Response> {
  let device: Device | null;
  try {
    device = await readDevice();
  } catch (cause) {
    // A counter without a till works as well. Of what needs the proof no answer came, since the session is not over.
    const answer = await fetch(path, init);
    if (await isRefusedProof(answer)) throw cause;
    return answer;
  }
  if (!device) {
    writeMark(null);
    return fetch(path, init);
  }
  const send = sendBy(device.keys);
  const answer = await send(path, init);
  if (!(await isRefusedProof(answer))) return answer;
  // A fresh proof tells whether the key still belongs to a till.
  const own = await send("/api/tills/me", { cache: "no-store", headers: TUNNEL_HEADER });
  if (!(await isRefusedProof(own))) return answer;
  await markRetired();
  // Safe to send again: the server did not read the refused request.
  return fetch(path, init);
}

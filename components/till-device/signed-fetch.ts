import { TUNNEL_HEADER } from "@/lib/domain/paths";
import { readDevice } from "./device";
import { writeMark } from "./mark";
import { adoptServerTime, makeProof } from "./proof";
import { markRetired } from "./retire";

type Send = (url: string, init: RequestInit) => Promise<Response>;

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

/** Sends a request with a proof by these keys, and once more with the server's nonce where this clock is wrong. */
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
  if (nonce === null) return answer;
  adoptServerTime(answer);
  return attempt(nonce);
}

/** Asks the server about this till with a fresh proof. Answers whether its key is still a till's. */
async function isStillTill(keys: CryptoKeyPair): Promise<boolean> {
  const answer = await sendSigned(keys, new URL("/api/tills/me", window.location.href), {
    cache: "no-store",
    headers: TUNNEL_HEADER,
  });
  return !(await isRefusedProof(answer));
}

/**
 * `fetch` with this till's proof. Where the server no longer knows the key, the browser is marked as retired and the same
 * request is sent without a proof: the refused one was not read.
 */
export async function signedFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const device = await readDevice();
  if (!device) {
    writeMark(null);
    return fetch(path, init);
  }
  const answer = await sendSigned(device.keys, new URL(path, window.location.href), init);
  if (!(await isRefusedProof(answer)) || (await isStillTill(device.keys))) return answer;
  await markRetired();
  return fetch(path, init);
}

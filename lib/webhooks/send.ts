import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import type { CheckedAddress } from "./addresses";
import type { DeliveryError } from "./model";

/** Milliseconds for one attempt, from the connection to the end of the answer. */
const TIMEOUT_MS = 15_000;
/** Bytes of an answer that are kept. */
const KEPT_BYTES = 1024;

/** What became of one attempt. `retryAfter` in seconds. */
export type Outcome = {
  status: number | null;
  error: DeliveryError | null;
  answer: string;
  duration: number;
  retryAfter: number | null;
};

// Agents of its own: the global ones may be told of a proxy by the environment.
const options = { keepAlive: true, maxSockets: 64, timeout: TIMEOUT_MS };
const agents = { "https:": new https.Agent(options), "http:": new http.Agent(options) };

/** Closes the connections that wait for another request. */
export const closeConnections = (): void => {
  for (const agent of Object.values(agents)) agent.destroy();
};

/** The seconds of a Retry-After, a number or a date; null for none. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

const errorOf = (error: NodeJS.ErrnoException): DeliveryError => {
  if (error.name === "AbortError" || error.name === "TimeoutError") return "timeout";
  return /CERT|TLS|SSL|ALTNAME|SELF_SIGNED|VERIFY/.test(error.code ?? "") ? "tls" : "connection";
};

/**
 * Posts a body to a checked address. The connection goes to that address, under the name of the URL: the name is not resolved
 * again. It follows no redirect, reads one kilobyte, and ends after 15 seconds.
 */
export function post(
  { url, address }: CheckedAddress,
  headers: Record<string, string>,
  body: string,
): Promise<Outcome> {
  const started = performance.now();
  const secure = url.protocol === "https:";
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const done = (rest: Partial<Outcome>): Outcome => ({
    status: null,
    error: null,
    answer: "",
    retryAfter: null,
    ...rest,
    duration: Math.round(performance.now() - started),
  });
  return new Promise((resolve) => {
    const request = (secure ? https : http).request({
      method: "POST",
      agent: agents[secure ? "https:" : "http:"],
      host: address,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      // The certificate is that of the name; an address alone has none in the handshake.
      ...(secure && !isIP(name) ? { servername: name } : {}),
      headers: {
        host: url.host,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "LoyaltyWallet-Webhooks/1",
        ...headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(done({ error: errorOf(error) })));
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      let read = 0;
      const finish = (error: DeliveryError | null) => {
        // A NUL has no place in a text of Postgres, and half a character ends it.
        const answer = Buffer.concat(parts).subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "");
        const status = response.statusCode ?? null;
        resolve(done({ status, error, answer, retryAfter: retryAfterOf(response.headers["retry-after"]) }));
      };
      response.on("data", (part: Buffer) => {
        parts.push(part);
        read += part.length;
        if (read <= KEPT_BYTES) return;
        finish(null);
        response.destroy();
      });
      response.on("end", () => finish(null));
      response.on("error", (error) => finish(errorOf(error)));
    });
    request.end(body);
  });
}

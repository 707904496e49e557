import "@/scripts/lib/http-timeouts.mjs";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { handlerOf } from "@/lib/testing/handlers";
import { recordSocketAddresses } from "../address";
import { observeRequests } from "../observe-requests";
import { ownServer } from "./serve";

// As instrumentation.ts does in the standalone server, whose `http` http-timeouts.mjs has wrapped.
Object.assign(globalThis, {
  walletApi: ownServer([
    { method: "POST", path: "auth/login", handle: handlerOf("POST", "auth/login") },
    { method: "POST", path: "branches", handle: handlerOf("POST", "branches") },
    { method: "GET", path: "health", handle: handlerOf("GET", "health") },
  ]),
});
const server = http.createServer((_, response) => response.writeHead(599).end());
// LONG=1: a hundred.
const TIMES = process.env.LONG ? 100 : 20;
const PART = Buffer.alloc(64 * 1024, 97);
const PARTS = 16;
const WAYS = {
  "a length": { "content-length": PARTS * PART.byteLength },
  chunks: { "transfer-encoding": "chunked" },
};
let base: string;

let stopObserving: () => void;

beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "1");
  recordSocketAddresses();
  stopObserving = observeRequests();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  // Files share a process: the next one's requests would be counted twice.
  stopObserving();
});

let addresses = 0;
/** The headers of a body from an address that nothing came from yet: those of one may ask 300 times a minute. */
const fromElsewhere = () => ({
  "content-type": "application/json",
  "x-forwarded-for": `192.0.2.${++addresses}`,
});

type Sent = { status: number | undefined; reused: boolean };
/** Sends a request over the agent's connection; `write` sends its body. */
function send(agent: http.Agent, path: string, headers = {}, write?: (request: http.ClientRequest) => void) {
  return new Promise<Sent>((done, fail) => {
    const options = { agent, method: write ? "POST" : "GET", headers };
    const request = http.request(`${base}${path}`, options, (answer) => {
      answer.resume().on("end", () => done({ status: answer.statusCode, reused: request.reusedSocket }));
    });
    request.on("error", fail).setTimeout(5_000, () => request.destroy(new Error(`${path} was not answered`)));
    if (write) write(request);
    else request.end();
  });
}

/** How the body is sent: all of it at once, or the rest of it when the answer is there. */
const SENDERS: Record<string, (request: http.ClientRequest) => void> = {
  "sent at once": (request) => void Readable.from(Array<Buffer>(PARTS).fill(PART)).pipe(request),
  "sent on after the answer": (request) => {
    request.write(Buffer.concat([PART, PART]));
    request.once("response", () => request.end(Buffer.concat(Array<Buffer>(PARTS - 2).fill(PART))));
  },
};

test.each(
  Object.entries(SENDERS).flatMap(([how, write]) =>
    Object.entries(WAYS).flatMap(([by, headers]) => [
      { how, by, write, headers, path: "/api/auth/login", status: 413 },
      { how, by, write, headers, path: "/api/branches", status: 401 },
    ]),
  ),
)("after $status to a body by $by, $how, the connection serves the next request", async (one) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { ...fromElsewhere(), ...one.headers };
  for (let times = 0; times < TIMES; times++) {
    expect((await send(agent, one.path, headers, one.write)).status).toBe(one.status);
    expect(await send(agent, "/api/health")).toEqual({ status: 200, reused: true });
  }
  agent.destroy();
});

test.each(["a length", "chunks"])("after 413 to a body by %s fetch goes on", async (by) => {
  const headers = fromElsewhere();
  for (let times = 0; times < TIMES; times++) {
    const whole = Buffer.alloc(PARTS * PART.byteLength, 97);
    const body = by === "chunks" ? Readable.toWeb(Readable.from([whole])) : whole;
    const sent = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const refused = await fetch(`${base}/api/auth/login`, { ...sent, signal: AbortSignal.timeout(60_000) });
    expect(refused.status).toBe(413);
    await refused.text();
    const next = await fetch(`${base}/api/health`, { signal: AbortSignal.timeout(60_000) });
    expect([next.status, await next.json()]).toMatchObject([200, { data: { alive: true } }]);
  }
});

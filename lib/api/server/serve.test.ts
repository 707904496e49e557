import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deliverInBackground } from "@/lib/jobs/deliver-in-background";
import { runDue } from "@/lib/jobs/run-due";
import { metrics } from "@/lib/observe/metrics";
import { currentRequest } from "@/lib/observe/request";
import { PEER_HEADER, recordSocketAddresses } from "../address";
import { readJson } from "../body";
import { type ApiCall, type Handler, matcherOf } from "../match";
import { observeRequests } from "../observe-requests";
import { replyError, replyOk } from "../reply";
import { ownServer } from "./serve";

vi.mock("@/lib/jobs/run-due", () => ({ runDue: vi.fn(async () => {}) }));

let cancelled = false;
/** Numbers without end, a line each. */
const endless = () =>
  new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("12345678\n".repeat(500))),
    cancel: () => {
      cancelled = true;
    },
  });
const csv = { "Content-Type": "text/csv; charset=utf-8" };
const lines = () => new Response("a,b\n".repeat(2_000), { headers: csv });

const get = (path: string, handle: (...given: Parameters<Handler>) => Response): ApiCall => ({
  method: "GET",
  path,
  handle: async (request, context) => handle(request, context),
});
const calls: ApiCall[] = [
  get("echo/{id}", (request, { params }) =>
    replyOk("ok", { params, peer: request.headers.get(PEER_HEADER), url: new URL(request.url).pathname }),
  ),
  {
    method: "POST",
    path: "echo/{id}",
    handle: async (request) => {
      try {
        return replyOk("ok", await readJson(request));
      } catch (error) {
        return replyError(error, "en", "0");
      }
    },
  },
  {
    method: "PUT",
    path: "echo/{id}",
    handle: async () => {
      deliverInBackground();
      return replyOk("ok", null, [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
      ]);
    },
  },
  {
    method: "DELETE",
    path: "echo/{id}",
    handle: async () => {
      throw new Error("a bug");
    },
  },
  get("echo/fixed", () => replyOk("ok", "fixed")),
  get("long", () => replyOk("ok", "x".repeat(5_000))),
  get("lines", lines),
  get("endless", () => new Response(endless(), { headers: csv })),
  get("media/{...key}", (_, { params }) => replyOk("ok", params)),
];
const api = ownServer(calls);
const server = http.createServer((request, response) => {
  if (api.take(request, response)) return;
  response.statusCode = 599;
  response.end("Next");
});
let port: number;

let stopObserving: () => void;

beforeAll(async () => {
  recordSocketAddresses();
  stopObserving = observeRequests();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  // Files share a process: the next one's requests would be counted twice.
  stopObserving();
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
async function ask(path: string, init: http.RequestOptions & { body?: string } = {}) {
  const { body, ...options } = init;
  const request = http.request({ host: "127.0.0.1", port, path, agent, ...options });
  request.end(body);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
const json = { "content-type": "application/json" };

test("a path leads to its file, a fixed segment before a parameter, and nothing else is taken", async () => {
  const { body } = await ask("/api/echo/7f-2?x=1");
  expect(JSON.parse(body)).toMatchObject({
    data: { params: { id: "7f-2" }, peer: "127.0.0.1", url: "/api/echo/7f-2" },
  });
  expect(JSON.parse((await ask("/api/echo/fixed")).body)).toMatchObject({ data: "fixed" });
  expect(JSON.parse((await ask("/api/media/a/b")).body)).toMatchObject({ data: { key: ["a", "b"] } });
  for (const path of [
    "/api/echo",
    "/api/echo/a/",
    "/api//echo/a",
    "/api/echo/%41",
    "/api/echo/..",
    "/api",
    "/",
  ]) {
    expect([path, (await ask(path)).status]).toEqual([path, 599]);
  }
  for (const method of ["HEAD", "OPTIONS", "PATCH"]) {
    expect((await ask("/api/echo/a", { method })).status).toBe(599);
  }
});

test("the patterns of paths are those of the logs", () => {
  const find = matcherOf(calls);
  expect(find(["echo", "a"])?.route).toBe("/api/echo/:id");
  expect(find(["media", "a", "b"])?.route).toBe("/api/media/:key");
});

test("a caller cannot name another address, by no repetition of headers either", async () => {
  const socket = connect(port, "127.0.0.1");
  const forged = "x-wallet-peer: 192.0.2.1\r\nauthorization: a\r\n".repeat(2);
  socket.end(`GET /api/echo/a HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${forged}\r\n`);
  expect(await text(socket)).toContain('"peer":"127.0.0.1"');
});

test("the headers of every answer are there, and media has a policy of its own", async () => {
  const { headers } = await ask("/api/echo/a");
  expect(headers).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "strict-transport-security": "max-age=31536000",
    "content-security-policy": expect.not.stringContaining("sandbox"),
  });
  expect((await ask("/api/media/a")).headers["content-security-policy"]).toContain("sandbox");
});

test("long texts and streams are compressed for who takes it, short ones are not", async () => {
  const gzip = { headers: { "accept-encoding": "br, gzip" } };
  expect((await ask("/api/long", gzip)).headers).toMatchObject({
    "content-encoding": "gzip",
    vary: "Accept-Encoding",
  });
  expect((await ask("/api/lines", gzip)).headers["content-encoding"]).toBe("gzip");
  expect((await ask("/api/echo/a", gzip)).headers["content-encoding"]).toBeUndefined();
  for (const accepted of ["identity", "gzip;q=0", "br"]) {
    const plain = await ask("/api/long", { headers: { "accept-encoding": accepted } });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toBe("Accept-Encoding");
    expect(plain.body).toContain("x".repeat(5_000));
  }
  const answer = await fetch(`http://127.0.0.1:${port}/api/lines`);
  expect(await answer.text()).toBe("a,b\n".repeat(2_000));
});

test("a body above the limit is refused, and the connection goes on", async () => {
  const refused = await ask("/api/echo/a", { method: "POST", headers: json, body: "x".repeat(300_000) });
  expect(refused.status).toBe(413);
  expect((await ask("/api/echo/a", { method: "POST", headers: json, body: '{"a":1}' })).body).toContain(
    '"a":1',
  );
  expect((await ask("/api/echo/a", { method: "POST", headers: json })).status).toBe(200);
});

test("a client that leaves ends the stream it asked for", async () => {
  for (const headers of [{}, { "accept-encoding": "gzip" }]) {
    cancelled = false;
    const request = http.get({ host: "127.0.0.1", port, path: "/api/endless", headers });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    await once(response, "data");
    request.destroy();
    await vi.waitFor(() => expect(cancelled).toBe(true), 60_000);
  }
});

test("a client that leaves in the middle of its body is in the log as a request with status 499, and as no error", async () => {
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  const left = async () => {
    const served = (await metrics().requests.get()).values;
    const own = served.filter(({ labels }) => labels.route === "/api/echo/:id" && labels.status === 499);
    return own.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await left();
  const head =
    "POST /api/echo/a HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n";
  for (let nth = 1; nth <= 3; nth++) {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${head}{"a":`, () => (nth === 2 ? socket.end() : socket.resetAndDestroy()));
    await vi.waitFor(async () => expect(await left()).toBe(before + nth), 60_000);
  }
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(lines.filter((line) => /ERROR/.test(line))).toEqual([]);
});

test("jobs run after the answer, and the server waits for them", async () => {
  let finish = () => {};
  vi.mocked(runDue).mockImplementationOnce(
    () => new Promise((done) => (finish = () => done(undefined as never))),
  );
  const { status, headers } = await ask("/api/echo/a", { method: "PUT" });
  expect([status, headers["set-cookie"]]).toEqual([200, ["a=1", "b=2"]]);
  await vi.waitFor(() => expect(runDue).toHaveBeenCalledOnce(), 60_000);
  let isSettled = false;
  const settled = api.settled().then(() => {
    isSettled = true;
  });
  await new Promise((done) => setImmediate(done));
  expect(isSettled).toBe(false);
  finish();
  await settled;
});

test("a bug is answered 500 without its text", async () => {
  const { status, body } = await ask("/api/echo/a", { method: "DELETE" });
  expect([status, body]).toEqual([500, "Internal Server Error"]);
  expect(currentRequest()).toBeUndefined();
});

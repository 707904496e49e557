import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "@/lib/testing/folder";

// The real module, with seconds in place of its tens of seconds.
const SHORT = { headersTimeout: 1_000, requestTimeout: 3_000, keepAliveTimeout: 2_000 };
const BUSY = 400;
const SERVER = `
import http from "node:http";
const server = http.createServer((request, response) => {
  if (request.url === "/early") return response.end("early");
  if (request.url === "/busy") {
    return response.end("busy", () => {
      console.log("busy");
      for (const end = Date.now() + ${BUSY}; Date.now() < end; );
    });
  }
  if (request.url === "/own-policy") response.setHeader("Content-Security-Policy", "default-src 'self'");
  request.resume();
  request.on("end", () => response.end("read"));
  request.on("error", () => undefined);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.on("SIGTERM", () => server.close(() => process.exit()));
`;

/** A process of its own that serves. */
async function serve() {
  const folder = testFolder("http");
  const text = readFileSync("scripts/lib/http-timeouts.mjs", "utf8");
  const short = Object.entries(SHORT).reduce(
    (all, [name, value]) => all.replace(new RegExp(`${name}: [\\d_]+`), `${name}: ${value}`),
    text.replace("connectionsCheckingInterval: 1_000", "connectionsCheckingInterval: 100"),
  );
  writeFileSync(join(folder, "http-timeouts.mjs"), short);
  writeFileSync(join(folder, "server.mjs"), `import "./http-timeouts.mjs";\n${SERVER}`);
  const child = spawn(process.execPath, [join(folder, "server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = async () => String(await once(child.stdout, "data"));
  return { child, said, port: Number(await said()) };
}

let child: ChildProcess;
let port: number;

beforeAll(async () => {
  ({ child, port } = await serve());
});
afterAll(() => child.kill());

/**
 * Sends the first bytes, then one byte of `drip` every 200 ms. Answers what came back, and after how many milliseconds
 * the server closed.
 */
async function slowly(first: string, drip = ""): Promise<{ answer: string; after: number }> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const start = Date.now();
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(first);
  const timer = setInterval(() => drip && socket.writable && socket.write(drip), 200);
  // Not by `once`, which a reset connection makes fail.
  await new Promise((done) => socket.on("close", done));
  clearInterval(timer);
  return { answer, after: Date.now() - start };
}

test("the limits are 10 s for headers, 30 s for the body after them, and 60 s idle", () => {
  const text = readFileSync("scripts/lib/http-timeouts.mjs", "utf8");
  for (const line of ["headersTimeout: 10_000", "requestTimeout: 40_000", "keepAliveTimeout: 60_000"])
    expect(text).toContain(line);
});

test.concurrent.each([
  ["headers that never end", "GET / HTTP/1.1\r\nhost: a\r\nx: ", "y", SHORT.headersTimeout],
  [
    "bodies that never end",
    "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n",
    "y",
    SHORT.requestTimeout,
  ],
  [
    "bodies in tiny chunks",
    "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n",
    "1\r\n \r\n",
    SHORT.requestTimeout,
  ],
  ["connections without a byte", "", "", SHORT.headersTimeout],
])("%s are cut off with 408", async (_what, first, drip, limit) => {
  const { answer, after } = await slowly(first, drip);
  expect(answer).toMatch(/^HTTP\/1\.1 408/);
  expect(after).toBeGreaterThanOrEqual(limit - 100);
  expect(after).toBeLessThan(limit + 3_000);
});

test.concurrent("a crowd of slow connections keeps nobody else waiting", async () => {
  const crowd = Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      n % 2 ? slowly("GET / HTTP/1.1\r\nhost: a\r\nx: ", "y") : slowly(""),
    ),
  );
  const { status } = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) });
  expect(status).toBe(200);
  await crowd;
});

test.concurrent("a body that never ends is cut off after an early answer, too", async () => {
  const head = "POST /early HTTP/1.1\r\nhost: a\r\ncontent-length: 9999\r\n\r\n";
  const { answer, after } = await slowly(head, "y");
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(after).toBeLessThan(SHORT.requestTimeout + 3_000);
});

test.concurrent("an idle connection is closed after its answer", async () => {
  const { answer, after } = await slowly("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(after).toBeGreaterThanOrEqual(SHORT.keepAliveTimeout - 100);
  // Node waits a second longer than it announces.
  expect(after).toBeLessThan(SHORT.keepAliveTimeout + 4_000);
});

test("an answer without a content security policy gets one under which nothing runs; another keeps its own", async () => {
  const policyOf = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).headers.get("content-security-policy");
  expect(await policyOf("/early")).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
  expect(await policyOf("/own-policy")).toBe("default-src 'self'");
});

test("TRACE is refused before it reaches the program", async () => {
  const { answer } = await slowly("TRACE / HTTP/1.1\r\nhost: a\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 405/);
});

test.concurrent("a busy server that is asked to end answers what has reached it", async () => {
  const ending = await serve();
  const gone = once(ending.child, "exit");
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${ending.port}${path}`).then(
      (answer) => answer.text(),
      (error: Error) => String(error.cause),
    );
  const busy = ending.said();
  void ask("/busy");
  expect(await busy).toBe("busy\n");
  const answers = Array.from({ length: 20 }, () => ask("/"));
  ending.child.kill("SIGTERM");
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["read"]));
  expect(await gone).toEqual([0, null]);
});

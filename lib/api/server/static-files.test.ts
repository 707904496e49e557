import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUILD_POLICY, SECURITY_HEADERS } from "../content-policy";
import { ownServer, staticFiles } from "./serve";

const folder = mkdtempSync(join(tmpdir(), "wallet-static-"));
const script = "console.log(1);".repeat(100);
mkdirSync(join(folder, "chunks"));
for (const name of ["a.js", "a.css", "a.js.map"]) {
  writeFileSync(join(folder, "chunks", name), script);
  writeFileSync(join(folder, "chunks", `${name}.br`), brotliCompressSync(script));
}
writeFileSync(join(folder, "chunks/small.js"), "1");

const api = ownServer([], { takeFile: staticFiles(folder) });
const server = http.createServer((request, response) => {
  if (!api.take(request, response)) response.writeHead(599).end();
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function ask(path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const request = http.request({ host: "127.0.0.1", port, path, headers, method }).end();
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
const brotli = { "accept-encoding": "gzip, deflate, br, zstd" };

test.each([
  ["a.js", "application/javascript; charset=UTF-8"],
  ["a.css", "text/css; charset=UTF-8"],
])("%s is sent as the build compressed it, with the headers of the build's files", async (name, type) => {
  const { status, headers, body } = await ask(`/_next/static/chunks/${name}?v=1`, brotli);
  expect(status).toBe(200);
  expect(brotliDecompressSync(body).toString()).toBe(script);
  expect(headers).toMatchObject({
    "content-type": type,
    "content-encoding": "br",
    "content-length": String(body.byteLength),
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": BUILD_POLICY,
    vary: "Accept-Encoding",
  });
  for (const [header, value] of Object.entries(SECURITY_HEADERS)) {
    expect(headers[header.toLowerCase()]).toBe(value);
  }
  const head = await ask(`/_next/static/chunks/${name}`, brotli, "HEAD");
  expect([head.headers["content-length"], head.body.byteLength]).toEqual([String(body.byteLength), 0]);
});

test("Next answers what has no Brotli form, what is no file, and who takes no Brotli", async () => {
  const path = "/_next/static/chunks/a.js";
  const asked = [
    ask(path),
    ask(path, { "accept-encoding": "gzip" }),
    ask(path, { "accept-encoding": "gzip, br;q=0" }),
    ask(path, { ...brotli, range: "bytes=5-2" }),
    ask(path, brotli, "POST"),
    ...["small.js", "a.js.map", "a.js.br", "../chunks/a.js", "%61.js", "none.js"].map((name) =>
      ask(`/_next/static/chunks/${name}`, brotli),
    ),
    ask("/_next/static/", brotli),
    ask("/chunks/a.js", brotli),
  ];
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 599));
});

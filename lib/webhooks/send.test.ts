import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { closeConnections, post } from "./send";

/** A server on this machine, and its checked address under another name. */
async function serverWith(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    closeConnections();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://shop.invalid:${port}/x?y=1`), address: "127.0.0.1" };
}

test("the connection goes to the checked address, whatever the name resolves to now", async () => {
  let host: string | undefined;
  const target = await serverWith((request, response) => {
    host = request.headers.host;
    response.end("ok");
  });
  // `shop.invalid` resolves to nothing.
  expect(await post(target, {}, "{}")).toMatchObject({ status: 200, error: null, answer: "ok" });
  expect(host).toBe(target.url.host);
});

test("a redirect is not followed, also not to a private address", async () => {
  let asked = 0;
  const target = await serverWith((_, response) => {
    asked += 1;
    response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
  });
  expect(await post(target, {}, "{}")).toMatchObject({ status: 302 });
  expect(asked).toBe(1);
});

test("of an answer of 10 MB one kilobyte is read and kept", async () => {
  const target = await serverWith((_, response) => {
    response.on("error", () => undefined);
    response.write("x".repeat(10_000_000));
  });
  const { status, answer, duration } = await post(target, {}, "{}");
  expect([status, answer]).toEqual([200, "x".repeat(1024)]);
  expect(duration).toBeLessThan(5_000);
});

test("a proxy of the environment is not asked", async () => {
  vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:1");
  vi.stubEnv("http_proxy", "http://127.0.0.1:1");
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const target = await serverWith((_, response) => response.end());
  expect(await post(target, {}, "{}")).toMatchObject({ status: 200 });
});

test("an endpoint that never answers, or never ends its answer, is given up after 15 seconds", {
  timeout: 60_000,
}, async () => {
  const silent = await serverWith(() => undefined);
  const endless = await serverWith((_, response) => {
    response.writeHead(200).write("…");
  });
  const [first, second] = await Promise.all([post(silent, {}, "{}"), post(endless, {}, "{}")]);
  expect(first).toMatchObject({ status: null, error: "timeout" });
  expect(second).toMatchObject({ error: "timeout" });
  for (const { duration } of [first, second]) expect(duration).toBeGreaterThan(14_000);
});

test("Retry-After is read as seconds and as a date", async () => {
  const target = await serverWith((_, response) => response.writeHead(503, { "retry-after": "120" }).end());
  expect(await post(target, {}, "{}")).toMatchObject({ status: 503, retryAfter: 120 });
});

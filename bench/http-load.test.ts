import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadHttp, loadPaced } from "./http-load";

let asked = 0;
const server = createServer((request, answer) => {
  asked += 1;
  answer.statusCode = request.url === "/refused" ? 429 : 200;
  answer.end("answer");
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

test("a paced load asks exactly as often as it is told, each request once", async () => {
  asked = 0;
  const seen: number[] = [];
  const answers = await loadPaced(base, 100, 0.5, (nth) => {
    seen.push(nth);
    return { path: "/" };
  });
  expect(answers).toMatchObject({ count: 50, bytes: "answer".length });
  expect(asked).toBe(50);
  expect(seen).toEqual(Array.from({ length: 50 }, (_, nth) => nth));
  expect(answers.p50).toBeLessThanOrEqual(answers.p95);
  expect(answers.p95).toBeLessThanOrEqual(answers.p99);
});

test("any answer but 200 ends a load", async () => {
  await expect(loadPaced(base, 50, 0.1, () => ({ path: "/refused" }))).rejects.toThrow("429");
  await expect(loadHttp(base, 2, 0.1, () => ({ path: "/refused" }))).rejects.toThrow("429");
});

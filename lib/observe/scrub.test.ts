import { expect, test } from "vitest";
import { scrub, scrubValue } from "./log";

const TOKEN = "q3Jx0Zp_8sWv-Yt2LmN4bC6dE7fG9hK1aR5uT0iO2eA";

test.each([
  ["550 5.1.1 <layla.h+1@mail.example.qa>: user unknown", "550 5.1.1 <(address)>: user unknown"],
  ["to a@b.test, o'neil@d.test", "to (address), (address)"],
  ["GET /x?email=a%40b.test", "GET /x?email=(address)"],
  ["call +974 5512 3456 or 55123456.", "call (phone) or (phone)."],
  ["hers is 5512-3456, his ٥٥١٢٣٤٥٦", "hers is (phone), his (phone)"],
  ["your code is 123456.", "your code is (code)."],
  ["code=123456", "code=(code)"],
  ["رمزك ١٢٣٤٥٦", "رمزك (code)"],
  [`/reset-password?token=${TOKEN}`, "/reset-password?token=(secret)"],
  ["postgres://wallet:pass@db/wallet", "postgres://(secret)@db/wallet"],
  ["Bearer eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..x", "Bearer (secret)..x"],
])("%j is logged as %j", (text, logged) => {
  expect(scrub(text)).toBe(logged);
});

test.each([
  "at node_modules/@prisma/client/index.js next@16.4.6",
  "at post (file:///app/.next/server/chunks/[root-of-the-server]__1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d.js:123456:12)",
  "movement 30001234-1a2b-7c3d-8e4f-123456123456",
  "2026-11-22T02:11:28.123456Z",
  "40P01 ECONNREFUSED 127.0.0.1:54321",
])("%j stays as it is", (text) => {
  expect(scrub(text)).toBe(text);
});

test("hidden keys and errors with causes", () => {
  const cause = new Error("a@b.test exists");
  const error = Object.assign(new Error("refused for a@b.test", { cause }), { code: "23505" });
  const logged = scrubValue({ sPassword: "short", sEmail: "x", code: 123456, count: 123456, error });
  expect(logged).toEqual({
    sPassword: "(hidden)",
    sEmail: "(hidden)",
    code: "(code)",
    count: 123456,
    error: expect.objectContaining({
      message: "refused for (address)",
      code: "23505",
      cause: expect.objectContaining({ message: "(address) exists" }),
    }),
  });
  expect(JSON.stringify(logged)).not.toContain("@b.test");
});

test("a long run of letters takes linear time", () => {
  // Quadratic time would exceed the timeout of the test.
  for (const letters of ["a".repeat(2_000_000), "%40".repeat(200_000), "1".repeat(200_000)]) {
    expect(scrub(letters)).toBe(letters);
  }
});

import { randomInt } from "node:crypto";
import { expect, test } from "./support/test";

const A_MINUTE = 300;
const TOO_MANY = 10;

/** Asks for a path from one address so often, without a browser, which would cost more than the pages; then once more. */
async function flood(url: string): Promise<{ counts: Record<number, number>; refused: Response }> {
  const headers = {
    "x-forwarded-for": `10.9.${randomInt(256)}.${randomInt(256)}`,
    "accept-language": "ar",
  };
  const ask = () => fetch(url, { headers, redirect: "manual" });
  const counts: Record<number, number> = {};
  for (let left = A_MINUTE + TOO_MANY; left > 0; left -= TOO_MANY) {
    for (const answer of await Promise.all(Array.from({ length: TOO_MANY }, ask))) {
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
  }
  return { counts, refused: await ask() };
}

test("public pages are answered 300 times a minute to one address, then 429 with the time to wait", async ({
  baseURL,
}) => {
  // The root only leads on, so it costs no drawing.
  const { counts, refused } = await flood(`${baseURL}/`);
  expect(counts).toEqual({ 307: A_MINUTE, 429: TOO_MANY });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("ratelimit-limit")).toBe(String(A_MINUTE));
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await refused.text()).toContain("لحظة من فضلك");
});

test("next-auth's own calls are answered 300 times a minute to one address", async ({ baseURL }) => {
  const { counts, refused } = await flood(`${baseURL}/api/auth/session`);
  expect(counts).toEqual({ 200: A_MINUTE, 429: TOO_MANY });
  expect([refused.status, (await refused.json()).code]).toEqual([429, "rate_limited"]);
});

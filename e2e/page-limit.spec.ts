import { randomInt } from "node:crypto";
import { expect, test } from "./support/test";

const LIMIT_PER_MINUTE = 300;
const EXCESS = 10;

/**
 * Requests a path from one address 10 times more than the limit, and then once more. It uses no browser, which would cost
 * more than the pages.
 */
async function flood(url: string): Promise<{ counts: Record<number, number>; refused: Response }> {
  const headers = {
    "x-forwarded-for": `10.9.${randomInt(256)}.${randomInt(256)}`,
    "accept-language": "ar",
  };
  const request = () => fetch(url, { headers, redirect: "manual" });
  const counts: Record<number, number> = {};
  for (let left = LIMIT_PER_MINUTE + EXCESS; left > 0; left -= EXCESS) {
    for (const answer of await Promise.all(Array.from({ length: EXCESS }, request))) {
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
  }
  return { counts, refused: await request() };
}

test("one address gets public pages 300 times a minute, then 429 with the time to wait", async ({
  baseURL,
}) => {
  // The root only redirects, so it costs no rendering.
  const { counts, refused } = await flood(`${baseURL}/`);
  expect(counts).toEqual({ 307: LIMIT_PER_MINUTE, 429: EXCESS });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("ratelimit-limit")).toBe(String(LIMIT_PER_MINUTE));
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await refused.text()).toContain("لحظة من فضلك");
});

test("one address may make next-auth's own calls 300 times a minute", async ({ baseURL }) => {
  const { counts, refused } = await flood(`${baseURL}/api/auth/session`);
  expect(counts).toEqual({ 200: LIMIT_PER_MINUTE, 429: EXCESS });
  expect([refused.status, (await refused.json()).code]).toEqual([429, "rate_limited"]);
});

import { randomInt } from "node:crypto";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const PAGES_PER_MINUTE = 1200;
const CALLS_PER_MINUTE = 300;
const BATCH = 20;

const newAddress = () => `10.9.${randomInt(256)}.${randomInt(256)}`;

/** Requests a path from one address so often. It uses no browser, which would cost more than the pages. */
async function flood(url: string, address: string, times: number): Promise<Record<number, number>> {
  const headers = { "x-forwarded-for": address };
  const counts: Record<number, number> = {};
  for (let left = times; left > 0; left -= BATCH) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(BATCH, left) }, () => fetch(url, { headers, redirect: "manual" })),
    );
    for (const answer of answers) {
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
  }
  return counts;
}

test("strangers of one address open 1,200 pages a minute; then a page says when to come back, and a session is not concerned", async ({
  browser,
  baseURL,
  shop,
  db,
}) => {
  const address = newAddress();
  // The root only redirects, so it costs no rendering.
  expect(await flood(`${baseURL}/`, address, PAGES_PER_MINUTE)).toEqual({ 307: PAGES_PER_MINUTE });
  const refused = await fetch(`${baseURL}/privacy`, { headers: { "x-forwarded-for": address } });
  expect([refused.status, refused.headers.get("ratelimit-limit")]).toEqual([429, String(PAGES_PER_MINUTE)]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  for (const [locale, words] of [
    ["en-GB", wordsOf("en").wait],
    ["ar", wordsOf("ar").wait],
  ] as const) {
    const context = await browser.newContext({ locale, extraHTTPHeaders: { "x-forwarded-for": address } });
    const page = await context.newPage();
    const first = await page.goto(`${baseURL}/privacy`);
    expect(first?.status()).toBe(429);
    await expect(page.locator("h1")).toHaveText(words.title);
    await expect(page.getByRole("link", { name: words.again })).toHaveAttribute("href", "/privacy");
    await context.close();
  }

  const context = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": address } });
  const page = await context.newPage();
  await signIn(db, page, shop.owner);
  expect((await page.goto(`${baseURL}/merchant/dashboard`))?.status()).toBe(200);
  await context.close();
});

test("one address may make next-auth's own calls 300 times a minute, and then gets 429 as data", async ({
  baseURL,
}) => {
  const address = newAddress();
  const url = `${baseURL}/api/auth/session`;
  expect(await flood(url, address, CALLS_PER_MINUTE)).toEqual({ 200: CALLS_PER_MINUTE });
  const refused = await fetch(url, { headers: { "x-forwarded-for": address } });
  expect([refused.status, (await refused.json()).code]).toEqual([429, "rate_limited"]);
});

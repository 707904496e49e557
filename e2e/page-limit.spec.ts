import { expect, test } from "./support/test";

test("public pages are answered 300 times a minute to one address, then 429 with the time to wait", async ({
  request,
}) => {
  const open = () => request.get("/privacy", { headers: { "accept-language": "ar" } });
  let answered = 0;
  let refused = await open();
  while (refused.status() === 200 && ++answered < 700) refused = await open();
  expect(answered).toBeGreaterThanOrEqual(300);
  expect(refused.status()).toBe(429);
  expect(Number(refused.headers()["retry-after"])).toBeGreaterThan(0);
  expect(await refused.text()).toContain("لحظة من فضلك");
});

test("next-auth's own calls are answered 300 times a minute to one address", async ({ request }) => {
  let answered = 0;
  let last = await request.get("/api/auth/session");
  while (last.status() === 200 && ++answered < 700) last = await request.get("/api/auth/session");
  expect(answered).toBeGreaterThanOrEqual(300);
  expect([last.status(), (await last.json()).code]).toEqual([429, "rate_limited"]);
});

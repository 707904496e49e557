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

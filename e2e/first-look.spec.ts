import sharp from "sharp";
import { importImage } from "@/lib/files/attach";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, test } from "./support/test";

test("search engines get a list of paths, may show the sign-up, and may not show a card", async ({
  request,
  db,
  shop,
}) => {
  const robots = await request.get("/robots.txt");
  expect([robots.status(), robots.headers()["content-type"]]).toEqual([
    200,
    expect.stringContaining("text/plain"),
  ]);
  expect(await robots.text()).toMatch(/^User-agent: \*\nDisallow: \/api\/$/m);
  const customer = await makeCustomer(db, shop);
  const card = await (await request.get(`/customer/loyalty-card/${customer.id}`)).text();
  expect(card).toContain('<meta name="robots" content="noindex"/>');
  const signUp = await (await request.get(`/customer/signup/${shop.merchant.publicId}`)).text();
  expect(signUp).not.toContain('name="robots"');
});

test("the first HTML of a card asks for its picture early and shows it without a script", async ({
  browser,
  baseURL,
  db,
  shop,
}) => {
  const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#c2185b" } })
    .png()
    .toBuffer();
  const imageKey = await importImage(db, red, "image/png");
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey } });
  const customer = await makeCustomer(db, shop);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}/customer/loyalty-card/${customer.id}`);
  const picture = page.locator(".face-image");
  await expect(picture).toHaveAttribute("fetchpriority", "high");
  await expect(picture).toHaveCSS("opacity", "1");
  await expect(page.locator("link[rel=preload][as=image]")).toHaveAttribute("fetchpriority", "high");
  await context.close();
});

test("in English no page loads the Arabic font for the name of the other language", async ({
  page,
  shop,
}) => {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url());
  });
  await page.goto(`/customer/signup/${shop.merchant.publicId}`, { waitUntil: "networkidle" });
  await expect(page.getByText("العربية")).toBeVisible();
  expect(fonts.map((url) => /[\w-]+-(?:latin|arabic)-\w+/.exec(url)?.[0])).toEqual([
    "ibm-plex-sans-latin-wght",
  ]);
});

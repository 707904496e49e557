import sharp from "sharp";
import { importImage } from "@/lib/files/attach";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";

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

test("the first HTML of a card asks for its picture early, shows it without a script, and has a small logo", async ({
  browser,
  baseURL,
  db,
  shop,
}) => {
  const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#c2185b" } })
    .png()
    .toBuffer();
  const imageKey = await importImage(db, red, "image/png");
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey, logoKey: imageKey } });
  const customer = await makeCustomer(db, shop);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${baseURL}/customer/loyalty-card/${customer.id}`);
  const picture = page.locator(".face-image");
  await expect(picture).toHaveAttribute("fetchpriority", "high");
  await expect(picture).toHaveCSS("opacity", "1");
  await expect(page.locator(`link[rel=preload][as=image][href$="${imageKey}"]`)).toHaveAttribute(
    "fetchpriority",
    "high",
  );
  const logo = await page.request.get((await page.locator(".face-logo").getAttribute("src")) ?? "");
  expect(logo.headers()).toMatchObject({
    "content-type": "image/webp",
    "cache-control": expect.stringContaining("immutable"),
  });
  expect((await sharp(await logo.body()).metadata()).width).toBe(144);
  await context.close();
});

test("the sign-in page keeps its place when its scripts run, and offers no passkey without scripts", async ({
  browser,
  page,
  baseURL,
}) => {
  const passkey = page.getByRole("button", { name: "Sign in with a passkey" });
  await page.goto("/login");
  await expect(passkey).toBeVisible();
  const place = await page.locator("form").boundingBox();
  // The page as it is before any script has come.
  const early = await page.context().newPage();
  await early.route("**/_next/static/**/*.js", (route) => route.abort());
  await early.goto("/login");
  expect(await early.locator("form").boundingBox()).toEqual(place);
  const bare = await browser.newContext({ javaScriptEnabled: false });
  const plain = await bare.newPage();
  await plain.goto(`${baseURL}/login`);
  await expect(plain.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
  await expect(plain.locator("button", { hasText: "passkey" })).toBeHidden();
  await bare.close();
});

test("what a panel read in time stands in its first HTML, and waits for no script", async ({
  browser,
  page,
  baseURL,
  db,
  shop,
}) => {
  const customer = await makeCustomer(db, shop);
  await signIn(db, page, shop.owner);
  const bare = await browser.newContext({ javaScriptEnabled: false });
  await bare.addCookies(await page.context().cookies());
  const plain = await bare.newPage();
  // A busy machine may read too late once: then the list comes with a script.
  await expect(async () => {
    await plain.goto(`${baseURL}/merchant/customers`);
    await expect(
      plain
        .getByText(customer.email ?? "")
        .filter({ visible: true })
        .first(),
    ).toBeVisible({ timeout: 500 });
  }).toPass();
  await bare.close();
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

import type { BrowserContext, Page } from "@playwright/test";
import sharp from "sharp";
import { LIVE_CODE_SECONDS } from "@/lib/cards/model/card";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { importImage } from "@/lib/files/attach";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, type MerchantFixture, makeCustomer, uniqueEmail } from "@/lib/testing/factories";
import { holdCard } from "./support/holder";
import { scan } from "./support/qr";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 640 }, deviceScaleFactor: 2 });
const { card: words, errors } = wordsOf("en");

/** Opens a card on its holder's own device. */
async function openCard(
  { page, context, db, shop }: { page: Page; context: BrowserContext; db: Db; shop: MerchantFixture },
  overrides: Partial<Prisma.CustomerUncheckedCreateInput> = {},
) {
  const card = await makeCustomer(db, shop, { ...overrides, status: "active" });
  await topUp(contextOf(db, shop.owner), { customerId: card.id, points: 120, branchId: shop.branch.id });
  if (overrides.status)
    await db.customer.update({ where: { id: card.id }, data: { status: overrides.status } });
  await holdCard(context, db, card.id);
  await page.goto(`/customer/loyalty-card/${card.id}`);
  return card;
}

test("the card fits a small phone: picture, QAR first, points, and a live code that fills the screen", async ({
  page,
  context,
  db,
  shop,
  baseURL,
}) => {
  const red = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#c2185b" } })
    .png()
    .toBuffer();
  const imageKey = await importImage(db, red, "image/png");
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey } });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const card = await openCard({ page, context, db, shop });
  const face = page.locator("[data-slot=loyalty-card]");
  await expect(face).toHaveAttribute("data-picture", "shown");
  await expect(page.locator("[data-slot=cash]")).toHaveText(/QAR\s*120\.00/);
  await expect(page.locator("[data-slot=balance]")).toHaveText("120 pts");
  const box = await face.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
  const picture = await face.locator("img").first().boundingBox();
  expect((picture?.height ?? 0) / (box?.height ?? 1)).toBeCloseTo(0.45, 1);
  expect(
    await page.locator("[data-slot=cash] span").evaluate((node) => getComputedStyle(node).fontSize),
  ).toBe("44px");

  const qr = page.getByRole("img", { name: words.qrAlt });
  await expect.poll(() => scan(qr)).toContain("?code=");
  const ring = page.locator(".code-ring");
  await expect(ring).toHaveCSS("animation-duration", `${LIVE_CODE_SECONDS}s`);
  await page.getByRole("button", { name: words.code.show }).click();
  const screen = page.getByRole("dialog");
  await expect(screen.getByText(words.code.bright)).toBeVisible();
  await expect(screen).toContainText(shop.merchant.businessName);
  await expect(screen).toContainText(/QAR\s*120\.00/);
  const large = screen.getByRole("img", { name: words.qrAlt });
  expect((await large.boundingBox())?.width).toBeGreaterThan(300);
  expect(await scan(large)).toContain(`${baseURL}/topup/${card.publicId}?code=`);
  await page.keyboard.press("Escape");
  await expect(screen).toBeHidden();
  await expect(page.getByRole("button", { name: words.code.show })).toBeFocused();
});

test("Share gives the merchant's sign-up link and nothing of the card", async ({
  page,
  context,
  db,
  shop,
}) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (what: ShareData) => Object.assign(window, { shared: JSON.stringify(what) }),
    });
  });
  const card = await openCard({ page, context, db, shop });
  await page.getByRole("button", { name: words.share.button }).click();
  const shared = () => page.evaluate(() => (window as unknown as { shared?: string }).shared ?? "");
  await expect.poll(shared).toContain(`/customer/signup/${shop.merchant.publicId}`);
  for (const secret of [card.id, card.publicId, shop.merchant.id])
    expect(await shared()).not.toContain(secret);
});

test("where a browser cannot share, the link is copied", async ({ page, context, db, shop }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined }));
  await openCard({ page, context, db, shop });
  await page.getByRole("button", { name: words.share.button }).click();
  await expect(page.getByText(words.share.copied)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`/customer/signup/${shop.merchant.publicId}$`),
  );
});

test("the holder freezes the card on its page: it lies under frost without a code, and asks the shop", async ({
  page,
  context,
  db,
  shop,
}) => {
  const card = await openCard({ page, context, db, shop });
  await page.getByRole("button", { name: words.freeze.button }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: words.freeze.confirm }).click();
  await expect(page.locator("[data-slot=loyalty-card]")).toHaveAttribute("data-off", "true");
  await expect(page.getByRole("img", { name: words.qrAlt })).toHaveCount(0);
  await page.getByRole("button", { name: words.unfreeze.ask }).click();
  await expect(page.getByText(words.unfreeze.asked)).toBeVisible();
  expect((await db.customer.findUniqueOrThrow({ where: { id: card.id } })).status).toBe("frozen");
});

test("a blocked card has no code and says whom to ask; a long name opens to its full form", async ({
  page,
  context,
  db,
  shop,
}) => {
  const fullName = "Abdulrahman Mohammed Abdulaziz Al-Thani Al-Kuwari Al-Marri";
  await openCard({ page, context, db, shop }, { fullName, status: "blocked" });
  await expect(page.getByText(errors.customer_blocked)).toBeVisible();
  await expect(page.getByRole("img", { name: words.qrAlt })).toHaveCount(0);
  const name = page.getByRole("button", { name: fullName });
  await expect(name).toHaveAttribute("title", fullName);
  const low = (await name.boundingBox())?.height ?? 0;
  await name.click();
  await expect(name).toHaveAttribute("aria-expanded", "true");
  expect((await name.boundingBox())?.height ?? 0).toBeGreaterThan(low);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test("where a card is missing it can be mailed, and language and theme can be reached", async ({ page }) => {
  for (const path of [
    "/customer/loyalty-card",
    `/customer/loyalty-card/nothing`,
    "/customer/signup/nothing",
    "/card/open/none",
    "/card/device/none",
    "/card/email-change/none",
    "/card/freeze/none",
  ]) {
    await test.step(path, async () => {
      await page.goto(path);
      const form = page.getByRole("button", { name: words.recover.send });
      await expect(form).toBeVisible();
      await page.getByLabel(words.recover.email).fill("no address");
      await form.click();
      await expect(page.locator("main").getByRole("alert").filter({ hasText: /\S/ }).first()).toBeVisible();
      await page.getByLabel(words.recover.email).fill(uniqueEmail("nobody"));
      await form.click();
      await expect(page.getByText(words.recover.sent)).toBeVisible();
      for (const tool of [
        page.getByRole("button", { name: "العربية" }),
        page.getByRole("button", { name: wordsOf("en").theme.label }),
      ]) {
        const box = await tool.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
      }
    });
  }
});

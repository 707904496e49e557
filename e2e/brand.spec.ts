import sharp from "sharp";
import { makeAdmin, makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { home, merchants } = wordsOf("en");
const COLOUR = "#5b2a86";
const NAME_AR = "بيت القهوة";

/** A tall picture, so that it is only whole on the square when it is not cut. */
const logo = () =>
  sharp({ create: { width: 120, height: 240, channels: 3, background: "#00a000" } })
    .png()
    .toBuffer();

test("the owner gives the shop an Arabic name, a logo and a colour, the administrator approves, the card shows it", async ({
  page,
  shop,
  browser,
  db,
}) => {
  // Three browsers and half a dozen pages.
  test.slow();
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  const { profile } = merchants;
  await page.getByLabel(profile.nameAr).fill(NAME_AR);
  await page.getByLabel(merchants.files.chooseLogo).setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: await logo(),
  });
  await expect(page.getByRole("img", { name: merchants.files.logoAlt })).toBeVisible();
  const sample = page.locator("[data-slot=colour-sample]");
  await page.getByLabel(merchants.colour.own).fill("#ffd700");
  await expect(page.getByText(/hard to read on #ffd700/)).toBeVisible();
  await expect(sample).not.toHaveAttribute("data-colour", "#ffd700");
  await page.getByLabel(merchants.colour.names.violet).check({ force: true });
  await expect(page.getByLabel(merchants.colour.own)).toHaveValue(COLOUR);
  await expect(sample).toHaveAttribute("data-colour", COLOUR);
  // The logo stands above the name, as on a card, and not on it.
  const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN);
  const nameBox = await sample.locator(".face-title > p").boundingBox();
  expect(bottomOf(await sample.locator(".face-logo").boundingBox())).toBeLessThanOrEqual(nameBox?.y ?? 0);
  await page.locator("form", { hasText: profile.nameAr }).getByRole("button", { name: profile.save }).click();
  await expect(page.locator("[data-slot=pending-profile]")).toContainText(NAME_AR);

  const customer = await makeCustomer(db, shop);
  const cardPage = await (await browser.newContext({ locale: "ar-QA" })).newPage();
  await cardPage.goto(`/customer/loyalty-card/${customer.id}`);
  const face = cardPage.locator("[data-slot=loyalty-card]");
  await expect(face).toContainText(shop.merchant.businessName);
  await expect(face.locator(".face-logo")).toHaveCount(0);

  const adminPage = await (await browser.newContext()).newPage();
  await signIn(db, adminPage, await makeAdmin(db, { role: "admin" }));
  await adminPage.goto(`/admin/merchants/${shop.merchant.id}`);
  const now = adminPage.getByRole("region", { name: merchants.change.present });
  const wanted = adminPage.getByRole("region", { name: merchants.change.wanted });
  await expect(now).toContainText(merchants.change.noNameAr);
  await expect(wanted).toContainText(NAME_AR);
  await expect(wanted).toContainText(COLOUR);
  await expect(wanted.getByRole("img", { name: merchants.logoAlt })).toBeVisible();
  await adminPage.getByRole("button", { name: merchants.change.approve }).click();
  await adminPage.getByRole("alertdialog").getByRole("button", { name: merchants.change.approve }).click();
  // By its text: behind the open dialog the region has no role, so that it would count as hidden before the answer.
  await expect(adminPage.getByText(merchants.change.title)).toBeHidden();

  await cardPage.reload();
  await expect(face).toContainText(NAME_AR);
  await expect(face).not.toContainText(shop.merchant.businessName);
  const colour = () => face.evaluate((node) => (node as HTMLElement).style.getPropertyValue("--card-via"));
  expect(await colour()).toBe(COLOUR);
  await expect(face.locator(".face-logo")).toBeVisible();
  await cardPage.goto(`/customer/signup/${shop.merchant.publicId}`);
  await expect(cardPage.getByRole("heading", { level: 1 })).toContainText(NAME_AR);

  await page.reload();
  await page.getByRole("button", { name: merchants.link.poster }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(merchants.print.kinds.round).check();
  await dialog.getByLabel(merchants.print.languages.ar).check({ force: true });
  const [stickers] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("link", { name: merchants.print.download }).click(),
  ]);
  expect(stickers.suggestedFilename()).toMatch(/-round-stickers\.pdf$/);

  await page.goto("/merchant/dashboard");
  const owed = page.getByRole("link", { name: home.owe });
  await expect(owed).toHaveCSS("background-color", "rgb(91, 42, 134)");
  await expect(owed).toHaveCSS("background-image", new RegExp(`/card/note/${shop.merchant.publicId}`));
});

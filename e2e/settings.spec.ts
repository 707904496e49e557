import type { Page } from "@playwright/test";
import { editConfig } from "@/lib/points-config/edit-config";
import { contextOf, makeAdmin, makeCustomer, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { editedRules } from "@/lib/testing/pending";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { config, settings, suspension } = words;

test("an owner's settings decide what the counter offers and whether workers refund", async ({
  page,
  shop,
  db,
  browser,
  baseURL,
}) => {
  const customer = await makeCustomer(db, shop);
  const worker = await makeWorker(db, shop);
  await move(db, shop, customer, { points: 100, actor: worker });
  await move(db, shop, customer, { type: "REDEEM", points: 40, actor: worker });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/settings");
  await page.getByLabel(settings.redemptions.allowance).fill("201");
  await page.getByRole("button", { name: settings.save }).click();
  await expect(page.getByText("The platform's maximum is 200 points a day")).toBeVisible();
  await page.getByLabel(settings.redemptions.allowance).fill("٧٥");
  await page.getByRole("checkbox", { name: words.movements.tenders.cash }).click();
  await page.getByRole("checkbox", { name: settings.topUps.saleRef }).click();
  await page.getByLabel(settings.refunds.days).fill("7");
  await page.getByRole("button", { name: settings.save }).click();
  await expect(page.getByText(settings.saved)).toBeVisible();
  expect(await db.merchant.findUnique({ where: { id: shop.merchant.id } })).toMatchObject({
    redeemAllowance: 75,
    refundDays: 7,
    tenders: ["card", "bank", "online", "other"],
    askSaleRef: false,
  });

  const counter = await (await browser.newContext({ baseURL })).newPage();
  await signIn(db, counter, worker);
  await counter.goto(`/employee/topup?customerId=${customer.id}`);
  const dialog = counter.getByRole("dialog");
  const card = dialog.getByRole("button", { name: words.movements.tenders.card, exact: true });
  await expect(card).toHaveAttribute("aria-pressed", "true");
  await expect(dialog.getByRole("button", { name: words.movements.tenders.cash, exact: true })).toHaveCount(
    0,
  );
  await expect(dialog.getByLabel(words.counter.saleRef)).toHaveCount(0);

  await counter.goto("/employee/dashboard");
  // The page may not be interactive yet: the button is pressed until its dialog opens.
  await expect(async () => {
    const refund = counter.getByRole("button", { name: `Refund ${customer.fullName}'s redemption` });
    if (!(await dialog.isVisible())) await refund.click();
    await expect(dialog.getByLabel(words.refund.points)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await dialog.getByLabel(words.refund.points).fill("15");
  await dialog.getByLabel(words.refund.reason).fill("Returned");
  await dialog.getByRole("button", { name: words.refund.refund }).click();
  await expect(counter.getByText(words.refund.done)).toBeVisible();

  await page.getByRole("link", { name: settings.refunds.list }).click();
  await expect(page).toHaveURL(/type=REFUND&actorRole=branch_worker/);
  await expect(page.getByText(customer.fullName).first()).toBeVisible();
});

test("a super_admin suspends a merchant: its staff, its customers and its sign-up link say so", async ({
  page,
  shop,
  db,
  browser,
  baseURL,
}) => {
  const customer = await makeCustomer(db, shop);
  await signIn(db, page, await makeAdmin(db));
  await page.goto(`/admin/merchants/${shop.merchant.id}`);
  await page.getByRole("button", { name: suspension.suspend }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(suspension.reason).fill("The licence has expired.");
  await dialog.getByRole("button", { name: suspension.suspend }).click();
  await expect(page.getByText(words.status.suspended, { exact: true })).toBeVisible();

  const other = await (await browser.newContext({ baseURL })).newPage();
  await other.goto(`/customer/signup/${shop.merchant.id}`);
  await expect(other).toHaveURL(new RegExp(`/customer/signup/${shop.merchant.publicId}$`));
  await expect(other.getByText(words.customerSignup.suspendedTitle)).toBeVisible();
  await other.goto(`/customer/loyalty-card/${customer.id}`);
  await expect(other.getByText("has paused its loyalty cards")).toBeVisible();
  await signIn(db, other, shop.owner);
  await other.goto(`/merchant/topup?customerId=${customer.id}`);
  await expect(other.getByText(words.counter.suspended)).toBeVisible();
  await other.goto("/merchant/settings");
  await expect(other.getByText(suspension.bannerTitle)).toBeVisible();
  await other.getByRole("button", { name: settings.save }).click();
  await expect(other.getByText("This merchant is suspended, so nothing can be changed.")).toBeVisible();

  await page.getByRole("button", { name: suspension.end }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: suspension.end }).click();
  await expect(page.getByRole("button", { name: suspension.suspend })).toBeVisible();
  await other.reload();
  await expect(other.getByText(suspension.bannerTitle)).toHaveCount(0);
});

test("a higher allowance by an administrator waits with its time left, and is cancelled from either page", async ({
  page,
  shop,
  db,
  browser,
  baseURL,
}) => {
  await move(db, shop, await makeCustomer(db, shop), { points: 100 });
  const { id } = shop.merchant;
  await signIn(db, page, await makeAdmin(db));
  await page.goto(`/admin/merchants/${id}`);
  await page.getByLabel(settings.redemptions.allowance).fill("150");
  await page.getByRole("button", { name: settings.save }).click();
  await expect(page.getByText(config.savedWaits.split("{")[0] ?? "")).toBeVisible();
  const waiting = page.locator("[data-pending]");
  await expect(waiting).toContainText(/2[34] hours/);
  await expect(waiting.getByText("150")).toBeVisible();
  await expect(page.getByLabel(settings.redemptions.allowance)).toHaveValue("50");

  const owner = await (await browser.newContext({ baseURL })).newPage();
  await signIn(db, owner, shop.owner);
  await owner.goto("/merchant/settings");
  await expect(owner.locator("[data-pending]")).toContainText("150");
  await expect(owner.getByRole("button", { name: words.config.cancel })).toHaveCount(0);

  // An administrator who may not change the settings may cancel.
  await signIn(db, page, await makeAdmin(db, { role: "admin" }));
  await page.goto(`/admin/merchants/${id}`);
  await waiting.getByRole("button", { name: words.config.cancel }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: words.config.cancel }).click();
  await expect(waiting).toHaveCount(0);
  expect((await db.merchant.findUniqueOrThrow({ where: { id } })).redeemAllowance).toBe(50);
});

test("on a phone a change that needs a second administrator says so below its title", async ({
  page,
  shop,
  db,
}) => {
  const { id: merchantId } = shop.merchant;
  await move(db, shop, await makeCustomer(db, shop), { points: 200 });
  const admin = await makeAdmin(db);
  // Where there is no second one, the change waits longer instead.
  await makeAdmin(db, { role: "admin" });
  await editConfig(contextOf(db, admin), editedRules({ merchantId, dirhamsPerPoint: 250 }));
  await signIn(db, page, admin);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(`/admin/points-config?merchantId=${merchantId}`);
  const waiting = page.locator("[data-pending]");
  const top = async (text: string) => {
    const { y = 0, height = 0 } = (await waiting.getByText(text).first().boundingBox()) ?? {};
    return { y, height };
  };
  const title = await top(words.config.waiting);
  const text = await top("Takes effect on");
  const badge = await top(words.config.waitingApproval);
  expect(text.y).toBeGreaterThanOrEqual(title.y + title.height);
  // A date is one line, or two.
  expect(text.height).toBeLessThan(50);
  expect(badge.y).toBeGreaterThanOrEqual(text.y + text.height);
});

test("a chosen theme is in the first HTML, other tabs follow it, and a page without its cookie corrects itself", async ({
  page,
  context,
  shop,
  db,
}) => {
  const { theme } = wordsOf("en");
  const { appearance } = wordsOf("en").account;
  const root = (on: Page) => on.locator("html");
  const ground = (on: Page) => on.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const firstClass = async () =>
    /<html[^>]*\bclass="([^"]*)"/.exec(await (await page.request.get("/merchant/account")).text())?.[1];
  await page.emulateMedia({ colorScheme: "light" });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/account");
  const light = await ground(page);
  expect(await firstClass()).toBeUndefined();
  // The device decides, and it changes its mind.
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await ground(page);
  expect(dark).not.toBe(light);
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: "dark" });
  await other.goto("/merchant/account");
  await page.getByRole("group", { name: appearance.theme }).getByText(theme.light).click();
  await expect(root(page)).toHaveClass("light");
  await expect(root(other)).toHaveClass("light");
  expect(await ground(page)).toBe(light);
  expect(await firstClass()).toBe("light");
  await context.clearCookies({ name: "theme" });
  await page.reload();
  await expect(root(page)).toHaveClass("light");
  await expect.poll(firstClass).toBe("light");
  await page.getByRole("group", { name: appearance.theme }).getByText(theme.system).click();
  await expect(root(page)).not.toHaveClass(/light|dark/);
  expect(await ground(page)).toBe(dark);
  expect(await firstClass()).toBeUndefined();
});

test("a dark page prints in the light colours", async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login");
  const light = await ground();
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.reload();
  await expect(page.locator("html")).toHaveClass("dark");
  expect(await ground()).not.toBe(light);
  await page.emulateMedia({ media: "print" });
  expect(await ground()).toBe(light);
});

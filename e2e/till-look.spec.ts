import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { barOf, enter, lockOf, makeCashiers } from "./support/cashiers";
import { scan } from "./support/qr";
import { expect, signIn, test } from "./support/test";
import { openCustomer, pairBrowser, waitForRules } from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, common, counter, offlineCounter, panels, shell } = wordsOf("en");
const SIZES = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 860 },
];

test("a till has its menu with names at the bottom in every width and no sidebar; an office keeps its sidebar", async ({
  page,
  db,
  shop,
}) => {
  await makeCashiers(db, shop);
  await signIn(db, page, shop.worker);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto("/employee/topup");
  await expect(page.getByRole("navigation", { name: shell.menu, exact: true })).toBeVisible();
  await expect(page.getByRole("navigation", { name: shell.quickMenu })).toBeHidden();
  await page.context().clearCookies();

  await pairBrowser(page, db, shop);
  const bar = page.getByRole("navigation", { name: shell.quickMenu });
  const expectBar = async (entries: number) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect(page.getByRole("complementary")).toHaveCount(0);
      await expect(bar.getByRole("link")).toHaveCount(entries);
      for (const name of [panels.menu.topup, panels.menu.redeem, panels.menu.shift]) {
        const link = bar.getByRole("link", { name, exact: true });
        await expect(link.getByText(name, { exact: true })).toBeInViewport({ ratio: 0.99 });
        expect((await link.boundingBox())?.height, `${name} at ${size.width}`).toBe(64);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    }
  };
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await expectBar(5);
  await page.goto("/login/till");
  await enter(page, "Sara Nasser");
  await expect(page).toHaveURL(/\/employee\/topup$/);
  await expectBar(3);
  // What the bar has no room for is in the menu, with its names.
  await page.setViewportSize({ width: 820, height: 1100 });
  await page.getByRole("button", { name: shell.openMenu }).click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByText(panels.menu.redeem, { exact: true })).toBeInViewport();
  await expect(drawer.getByRole("button", { name: shell.signOut })).toBeVisible();
});

test("a phone's first screen has scanner, search and the latest customers, and the head its mode; a till whose search finds nobody shows the code of the shop's sign-up page", async ({
  page,
  db,
  shop,
}) => {
  await test.step("a phone's first screen has scanner, search and the latest customers, and the head shows the mode", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Latest Guest" });
    const sale = { customerId: customer.id, points: 30, branchId: shop.branch.id, tender: "cash" as const };
    await topUp(contextOf(db, shop.worker), sale);
    await signIn(db, page, shop.worker);
    await page.setViewportSize({ width: 360, height: 640 });
    const search = page.getByLabel(counter.search.label, { exact: true });
    for (const [path, token] of [
      ["/employee/topup", "--success"],
      ["/employee/redeem", "--warning"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("button", { name: counter.scanner.start })).toBeInViewport({ ratio: 0.99 });
      await expect(search).toBeInViewport({ ratio: 0.99 });
      const latest = path.endsWith("topup")
        ? page.getByText("Latest Guest")
        : page.getByText(counter.recent.none);
      await expect(latest).toBeInViewport({ ratio: 0.99 });
      const icon = page.locator(".panel-mood");
      await expect(icon).toBeVisible();
      const [shown, wanted] = await icon.evaluate((one, name) => {
        const probe = document.createElement("i");
        probe.style.backgroundColor = `var(${name})`;
        one.parentElement?.append(probe);
        const answer = [getComputedStyle(one).backgroundColor, getComputedStyle(probe).backgroundColor];
        probe.remove();
        return answer;
      }, token);
      expect(shown).toBe(wanted);
    }
  });

  await test.step("a till whose search finds nobody shows the code of the shop's sign-up page", async () => {
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    const search = page.getByLabel(counter.search.label, { exact: true });
    const newCustomer = page.getByRole("button", { name: counter.search.newCustomer });
    await search.fill("nobody at all");
    await expect(page.getByText(/No customer matches/)).toBeVisible();
    await expect(newCustomer).toHaveCount(0);
    await page.context().clearCookies();

    await pairBrowser(page, db, shop);
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    await expect(page.getByRole("region", { name: atTill.cashier })).toBeVisible();
    await search.fill("nobody at all");
    await newCustomer.click();
    const code = page.getByRole("img", { name: counter.search.newCustomerCode });
    await expect(code).toBeVisible();
    expect(await scan(code)).toBe(`${process.env.APP_URL}/customer/signup/${shop.merchant.publicId}`);
  });
});

test("door, bar, lock and success of a till are the shop's note with its name, offline too", async ({
  page,
  context,
  db,
  shop,
}) => {
  const colour = "#8a1538";
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { colour } });
  await makeCustomer(db, shop, { fullName: "Noted Guest" });
  await makeCashiers(db, shop);
  await pairBrowser(page, db, shop);
  await page.goto("/login/till");
  const name = shop.merchant.businessName;
  const note = new RegExp(`/card/note/${shop.merchant.publicId}\\?plain=1`);
  const ground = page.locator("[style*='background-color: rgb(138, 21, 56)']");
  await expect(ground.filter({ hasText: name })).toHaveCSS("background-image", note);
  // The product is small print.
  await expect(page.getByText(common.appName, { exact: true })).toHaveCSS("font-size", "12px");
  await enter(page, "Sara Nasser");
  await expect(barOf(page)).toContainText(name);
  await expect(barOf(page).locator(ground)).toHaveCSS("background-image", note);

  const dialog = await openCustomer(page, "Noted Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("40");
  await page.keyboard.press("Enter");
  await expect(dialog.locator(ground).filter({ hasText: "40" })).toHaveCSS("background-image", note);
  await dialog.getByRole("button", { name: counter.next }).click();

  await waitForRules(page);
  await context.setOffline(true);
  const offline = await openCustomer(page, "Noted Guest");
  await offline.getByLabel(counter.amount, { exact: true }).fill("30");
  await page.keyboard.press("Enter");
  await expect(offline.getByText(offlineCounter.saved)).toBeVisible();
  await expect(offline.locator(ground).filter({ hasText: "30" })).toBeVisible();
  await offline.getByRole("button", { name: counter.next }).click();
  await context.setOffline(false);

  await barOf(page).getByRole("button", { name: atTill.change }).click();
  await expect(lockOf(page)).toHaveCSS("background-color", "rgb(138, 21, 56)");
  // Its waves are drawn here.
  await expect(lockOf(page)).toHaveCSS("background-image", /^url\("data:image\/svg/);
  await expect(lockOf(page)).toContainText(name);
  await expect(lockOf(page).locator("time")).toHaveText(/^\d\d:\d\d$/);
});

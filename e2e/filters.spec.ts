import { spanOf } from "@/components/data/spans";
import { qatarDay } from "@/lib/domain/time";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { list, palette, transactions } = wordsOf("en");

test("the customers' list is searched, filtered and left without losing a letter or a filter; several cards are blocked at once", async ({
  page,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Layla Haddad", status: "blocked" });
  await makeCustomer(db, shop, { fullName: "Layla Saleh" });
  await makeCustomer(db, shop, { fullName: "Omar Khalil" });
  await signIn(db, page, shop.owner);
  await test.step("typing continues while the list loads: no letter and no cursor position is lost", async () => {
    await page.goto("/merchant/customers");
    const box = page.getByRole("searchbox");
    await box.pressSequentially("lay");
    await expect(page).toHaveURL(/search=lay$/);
    await expect(box).toBeFocused();
    await page.keyboard.type("la had");
    await expect(page).toHaveURL(/search=layla\+had$/);
    await expect(box).toHaveValue("layla had");
    await expect(box).toBeFocused();
    await expect(page.getByRole("cell").getByRole("link")).toHaveText(["Layla Haddad"]);
  });

  await test.step("on a slow link a second filter keeps the first", async () => {
    // By status alone, and by name alone, there are others.
    const omar = { merchantId: shop.merchant.id, fullName: "Omar Khalil" };
    await db.customer.updateMany({ where: omar, data: { status: "blocked" } });
    await page.goto("/merchant/customers");
    const held: (() => void)[] = [];
    let slow = true;
    await page.route(/_rsc=/, async (route) => {
      if (slow) await new Promise<void>((go) => held.push(go));
      // A request that a later one replaced is over.
      await route.continue().catch(() => {});
    });
    await page.getByRole("button", { name: list.filters }).click();
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Blocked" }).click();
    await expect(page.getByRole("combobox", { name: "Status" })).toHaveText("Blocked");
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").fill("haddad");
    await page.keyboard.press("Enter");
    await expect.poll(() => held.length).toBeGreaterThan(1);
    slow = false;
    for (const go of held) go();
    await expect(page).toHaveURL(/\?(?=.*status=blocked)(?=.*search=haddad)/);
    await expect(page.getByRole("cell").getByRole("link")).toHaveText(["Layla Haddad"]);
    await page.unrouteAll();
    await db.customer.updateMany({ where: omar, data: { status: "active" } });
  });

  await test.step("returning to a list by its link or by the menu restores its filters", async () => {
    await page.goto("/merchant/customers?search=omar&status=active");
    const rows = page.getByRole("cell").getByRole("link");
    await rows.first().click();
    await expect(page).toHaveURL(/\/merchant\/customers\/[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: "All customers" }).click();
    await expect(page).toHaveURL(/\?search=omar&status=active$/);
    await expect(rows).toHaveText(["Omar Khalil"]);
    const menu = page.getByRole("navigation", { name: "Menu" });
    await menu.getByRole("link", { name: "Dashboard" }).click();
    await expect(page).toHaveURL(/\/merchant\/dashboard$/);
    await menu.getByRole("link", { name: "Customers" }).click();
    await expect(page).toHaveURL(/\?search=omar&status=active$/);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\/merchant\/customers$/);
    await expect(page.getByRole("searchbox")).toHaveValue("");
    await expect(rows).toHaveCount(3);
  });

  await test.step("the search over the panel says how many letters it needs, and what to do where nothing matches", async () => {
    // The key is listened for once the page has nothing more to do.
    await openSettled(page, "/merchant/customers");
    await page.keyboard.press("ControlOrMeta+k");
    const box = page.getByRole("dialog").getByRole("combobox");
    await box.fill("zz");
    await expect(page.getByText(palette.short.replace("{count}", "3"))).toBeVisible();
    await box.fill("zzzz");
    await expect(page.getByText(palette.none)).toBeVisible();
  });

  await test.step("on a phone the filters are a sheet that says how many match; chips name them and take them away", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/merchant/customers");
    await page.getByRole("button", { name: "Filters" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Blocked" }).click();
    await sheet.getByRole("button", { name: "Show 1 result" }).click();
    await expect(sheet).toBeHidden();
    const rows = page.locator("tbody").getByRole("link");
    await expect(rows).toHaveText(["Layla Haddad"]);
    await expect(page.getByRole("list", { name: "Filters in use" })).toContainText("Status: Blocked");
    await page.getByRole("button", { name: "Remove filter: Status" }).click();
    await expect(rows).toHaveCount(3);
  });

  await test.step("an owner blocks several cards at once, with a reason", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/merchant/customers");
    for (const fullName of ["Omar Khalil", "Layla Saleh"])
      await page.getByRole("checkbox", { name: `Select ${fullName}` }).check();
    await page.getByRole("button", { name: "Block 2 cards" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Lost in the post");
    await dialog.getByRole("button", { name: "Block 2 cards" }).click();
    await expect(page.getByText("2 cards blocked.")).toBeVisible();
    await expect(page.getByRole("cell", { name: "Blocked" })).toHaveCount(3);
    const blocked = await db.customer.count({ where: { merchantId: shop.merchant.id, status: "blocked" } });
    expect(blocked).toBe(3);
  });
});

test("days are typed or chosen in our own picker, and a customer's chip names them", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Layla Saleh" });
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(contextOf(db, shop.owner), { ...at, points: 70 });
  await signIn(db, page, shop.owner);
  await page.goto(`/merchant/transactions?customerId=${customer.id}`);
  await expect(page.getByRole("list", { name: "Filters in use" })).toContainText("Customer: Layla Saleh");
  const openDays = async () => {
    await page.getByRole("button", { name: new RegExp(`^${list.filters}`) }).click();
    await page.getByRole("button", { name: new RegExp(`^${transactions.days}`) }).click();
  };
  await openDays();
  const picker = page.getByRole("dialog", { name: list.spans.title });
  await picker.getByLabel("From").fill("02/03/2020");
  await picker.getByLabel("To").fill("01032020");
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect(picker.getByText(list.spans.backwards)).toBeVisible();
  await picker.getByLabel("To").fill("05032020");
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/from=2020-03-02&to=2020-03-05/);
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await page.keyboard.press("Escape");
  await openDays();
  await picker.getByRole("button", { name: "Today", exact: true }).click();
  await expect(page.locator("tbody").getByRole("link")).toHaveText(["Layla Saleh"]);
  await page.getByRole("button", { name: "Remove filter: Customer" }).click();
  await expect(page).not.toHaveURL(/customerId/);

  // A period's name is on its link alone: the field says its days.
  const { from, to } = spanOf("lastMonth", qatarDay(new Date()));
  await page.goto(`/merchant/liability?from=${from}&to=${to}`);
  await expect(page.getByText(list.spans.lastMonth, { exact: true })).toHaveCount(1);
  await page.goto("/merchant/liability?from=2020-03-02&to=2020-03-05");
  await expect(page.getByRole("button", { name: "02/03 – 05/03/2020" })).toBeVisible();
});

test.describe("under a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 780 } });

  test("the days of the calendar are 44 px, and on a phone's side it is whole", async ({
    page,
    shop,
    db,
  }) => {
    await signIn(db, page, shop.owner);
    await page.goto("/merchant/transactions");
    const open = async () => {
      await page.getByRole("button", { name: "Filters" }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: new RegExp(`^${transactions.days}`) })
        .click();
    };
    await open();
    const day = page.getByRole("gridcell").getByRole("button").first();
    const { width = 0, height = 0 } = (await day.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 740, height: 360 });
    await page.reload();
    await open();
    await expect(page.getByRole("button", { name: "Apply" })).toBeInViewport({ ratio: 0.99 });
    await expect(page.getByRole("gridcell").getByRole("button").last()).toBeInViewport({ ratio: 0.99 });
  });
});

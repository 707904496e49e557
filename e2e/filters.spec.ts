import { makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";

test("typing continues while the list loads: no letter and no cursor position is lost", async ({
  page,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Layla Haddad" });
  await makeCustomer(db, shop, { fullName: "Layla Saleh" });
  await signIn(db, page, shop.owner);
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

test("on a slow link a second filter keeps the first", async ({ page, shop, db }) => {
  await makeCustomer(db, shop, { fullName: "Layla Haddad", status: "blocked" });
  await makeCustomer(db, shop, { fullName: "Layla Saleh" });
  await makeCustomer(db, shop, { fullName: "Omar Khalil", status: "blocked" });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/customers");
  const held: (() => void)[] = [];
  let slow = true;
  await page.route(/_rsc=/, async (route) => {
    if (slow) await new Promise<void>((go) => held.push(go));
    // A request that a later one replaced is over.
    await route.continue().catch(() => {});
  });
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Blocked" }).click();
  await expect(page.getByRole("combobox", { name: "Status" })).toHaveText("Blocked");
  await page.getByRole("searchbox").fill("haddad");
  await page.keyboard.press("Enter");
  await expect.poll(() => held.length).toBeGreaterThan(1);
  slow = false;
  for (const go of held) go();
  await expect(page).toHaveURL(/\?(?=.*status=blocked)(?=.*search=haddad)/);
  await expect(page.getByRole("cell").getByRole("link")).toHaveText(["Layla Haddad"]);
});

test("returning to a list by its link or by the menu restores its filters", async ({ page, shop, db }) => {
  await makeCustomer(db, shop, { fullName: "Omar Khalil" });
  await makeCustomer(db, shop, { fullName: "Layla Saleh" });
  await signIn(db, page, shop.owner);
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
  await expect(rows).toHaveCount(2);
});

import type { BrowserContext, Page } from "@playwright/test";
import { makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { violationsOn } from "./support/accessible";
import { drawn, openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

/** The names of the buttons that lead to an open dialog, one after the other. */
type Way = string[];

/** What axe finds in the open dialogs of a page: everything in light colours, and what the dark ones change. */
async function problemsOf(page: Page, path: string, ways: Way[]): Promise<string[]> {
  const problems: string[] = [];
  await openSettled(page, path);
  const dialogs = "[role=dialog], [role=alertdialog]";
  const dialog = page.locator(dialogs);
  for (const way of ways) {
    for (const name of way) await page.getByRole("button", { name, exact: true }).first().click();
    await expect(dialog.first()).toBeVisible();
    const light = await violationsOn(page, { within: dialogs });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.evaluate(drawn);
    const dark = await violationsOn(page, { within: dialogs, rules: ["color-contrast"] });
    await page.emulateMedia({ colorScheme: "light" });
    problems.push(...[...light, ...dark].map((line) => `${path}, ${way.join(", ")}: ${line}`));
    // A calendar stands in a sheet: each closes by itself.
    while ((await dialog.count()) > 0) {
      const open = await dialog.count();
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count()).toBeLessThan(open);
    }
  }
  return problems;
}

test.describe("the open dialogs of a panel pass the accessibility checks in both colours", () => {
  test.beforeEach(async ({ page }) => {
    test.slow();
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
    await page.setViewportSize({ width: 360, height: 780 });
  });

  test("an owner's, in Arabic", async ({ page, context, db, shop, baseURL }) => {
    await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
    const customer = await makeCustomer(db, shop, { fullName: "ليلى حداد" });
    const movement = await move(db, shop, customer, { points: 350, tender: "cash" });
    const { workers, branches, tills, customers, bonus, transactions, receipts, list, shell } = wordsOf("ar");
    await signIn(db, page, shop.owner);
    const pages: [string, Way[]][] = [
      ["/merchant/workers", [[workers.add]]],
      ["/merchant/branches", [[branches.add], [shell.more], [shell.more, shell.signOut]]],
      ["/merchant/tills", [[tills.add]]],
      [`/merchant/customers/${customer.id}`, [[customers.edit], [customers.block], [bonus.give]]],
      [`/merchant/transactions/${movement.id}`, [[transactions.reverse], [receipts.print]]],
      ["/merchant/transactions", [[list.filters], [list.filters, `${transactions.days} ${list.spans.any}`]]],
    ];
    const problems: string[] = [];
    for (const [path, ways] of pages) problems.push(...(await problemsOf(page, path, ways)));
    expect(problems).toEqual([]);
  });

  test("an administrator's, in English", async ({ page, db, shop }) => {
    const pending = await makeMerchant(db, { status: "pending" });
    const { merchants, suspension, admins, branches } = wordsOf("en");
    await signIn(db, page, await makeAdmin(db));
    const pages: [string, Way[]][] = [
      [`/admin/merchants/${pending.merchant.id}`, [[merchants.reject], [merchants.approve]]],
      [`/admin/merchants/${shop.merchant.id}`, [[suspension.suspend]]],
      ["/admin/administrators", [[admins.invite]]],
      ["/admin/outlets", [[branches.addOutlet]]],
    ];
    const problems: string[] = [];
    for (const [path, ways] of pages) problems.push(...(await problemsOf(page, path, ways)));
    // An approved merchant is suspended, not rejected.
    await openSettled(page, `/admin/merchants/${shop.merchant.id}`);
    await expect(page.getByRole("button", { name: suspension.suspend })).toBeVisible();
    await expect(page.getByRole("button", { name: merchants.reject })).toHaveCount(0);
    expect(problems).toEqual([]);
  });
});

/** What a server that posted may answer: that it does not know, that it is away, and nothing. */
const unsure = ["outcome_unknown", "unavailable", null];

/**
 * Lets each request reach the server and answers the first three as above. `keys` has the key of each request.
 */
async function answerUnsure(
  context: BrowserContext,
  call: string,
): Promise<{ keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = [];
  await context.route(call, async (route) => {
    const code = unsure[keys.push(route.request().headers()["idempotency-key"]) - 1];
    if (code === undefined) return route.fallback();
    if (keys.length === 1) await route.fetch();
    if (code === null) return route.abort();
    await route.fulfill({ status: 503, json: { status: 503, code, message: `No answer: ${code}` } });
  });
  return { keys };
}

/** Sends a dialog's form again and again, until an answer is definite. Each attempt must carry the same key. */
async function repeatUntilAnswered(page: Page, name: string, keys: (string | undefined)[]): Promise<void> {
  const dialog = page.getByRole("dialog");
  for (let at = 1; at <= unsure.length; at++) {
    await dialog.getByRole("button", { name }).click();
    await expect.poll(() => keys.length).toBe(at);
    await expect(dialog.getByRole("alert")).toBeVisible();
    await expect(dialog.locator("form")).toHaveAttribute("aria-busy", "false");
  }
  await dialog.getByRole("button", { name }).click();
  await expect(dialog).toBeHidden();
  expect(keys).toHaveLength(unsure.length + 1);
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
}

test("a dialog that sends stays open until the answer; a bonus and a refund whose outcome is unknown are sent again with the same key, and posted once", async ({
  page,
  context,
  db,
  shop,
}) => {
  await signIn(db, page, shop.owner);
  await test.step("a dialog that sends stays open until the answer, and what was sent without one is posted once", async () => {
    const { bonus, forms, shell } = wordsOf("en");
    const customer = await makeCustomer(db, shop);
    await page.goto(`/merchant/customers/${customer.id}`);
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: bonus.give });
    const fill = async () => {
      await page.getByRole("button", { name: bonus.give }).first().click();
      await dialog.getByLabel(bonus.points).fill("20");
      await dialog.getByLabel(bonus.reason).fill("Weekend");
    };
    const call = "**/api/bonus-points";
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    let sent = 0;
    await context.route(call, async (route) => {
      sent++;
      await route.fetch();
      await held;
      await route.abort();
    });
    await fill();
    await save.click();
    await expect.poll(() => sent).toBe(1);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: shell.cancel }).click();
    await expect(dialog).toBeVisible();
    answer();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await context.unroute(call);

    // Whoever gives up here and begins again sends the same, also when the page is loaded again.
    await dialog.getByRole("button", { name: shell.cancel }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await fill();
    await save.click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(forms.repeated)).toBeVisible();
    const rows = await db.movement.findMany({ where: { customerId: customer.id } });
    expect(rows.map(({ type, points }) => [type, points])).toEqual([["BONUS", 20]]);
  });

  await test.step("a bonus whose outcome is unknown is sent again with the same key, and given once", async () => {
    const { bonus } = wordsOf("en");
    const customer = await makeCustomer(db, shop);
    await page.goto(`/merchant/customers/${customer.id}`);
    const { keys } = await answerUnsure(context, "**/api/bonus-points");
    await page.getByRole("button", { name: bonus.give }).first().click();
    await page.getByRole("dialog").getByLabel(bonus.points).fill("20");
    await page.getByRole("dialog").getByLabel(bonus.reason).fill("Weekend");
    await repeatUntilAnswered(page, bonus.give, keys);
    const rows = await db.movement.findMany({ where: { customerId: customer.id } });
    expect(rows.map(({ type, points }) => [type, points])).toEqual([["BONUS", 20]]);
  });

  await test.step("a refund whose outcome is unknown is sent again with the same key, and posted once", async () => {
    const { refund } = wordsOf("en");
    const customer = await makeCustomer(db, shop);
    await move(db, shop, customer, { points: 100, tender: "cash" });
    const redeemed = await move(db, shop, customer, { type: "REDEEM", points: 40 });
    await page.goto(`/merchant/transactions/${redeemed.id}`);
    const { keys } = await answerUnsure(context, `**/api/transactions/${redeemed.id}/refund`);
    await page.getByRole("button", { name: refund.refund }).first().click();
    await page.getByRole("dialog").getByLabel(refund.points).fill("10");
    await page.getByRole("dialog").getByLabel(refund.reason).fill("Returned");
    await repeatUntilAnswered(page, refund.refund, keys);
    const rows = await db.movement.findMany({ where: { customerId: customer.id, type: "REFUND" } });
    expect(rows.map(({ points }) => points)).toEqual([10]);
  });
});

test("after Back, the question about several cards names and blocks the same ones", async ({
  page,
  db,
  shop,
}) => {
  const { customers, list } = wordsOf("en");
  for (let n = 1; n <= 13; n++) await makeCustomer(db, shop, { fullName: `Guest ${n}` });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/customers?limit=10");
  const rows = page.getByRole("checkbox");
  for (const at of [0, 1]) await rows.nth(at).check();
  await page.getByRole("link", { name: list.next }).click();
  await expect(rows).toHaveCount(3);
  for (const at of [0, 1, 2]) await rows.nth(at).check();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Block 3 cards" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(3);
  await page.goBack();
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  const named = await dialog.getByRole("listitem").allInnerTexts();
  await dialog.getByLabel(customers.bulk.reason).fill("Lost");
  await dialog.getByRole("button", { name: /^Block \d cards$/ }).click();
  await expect(dialog).toBeHidden();
  const blocked = await db.customer.findMany({ where: { merchantId: shop.merchant.id, status: "blocked" } });
  expect(blocked.map(({ fullName }) => fullName).sort()).toEqual(named.sort());
});

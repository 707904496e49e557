import { readFileSync } from "node:fs";
import { redeem, topUp } from "@/lib/ledger/move-points";
import { contextOf, makeAdmin, makeCustomer, PASSWORD } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { transactions, config, customers, account } = words;
const NAME = "=2+3 ليلى";

test("a super administrator filters and exports the log, and reverses with a reason", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: NAME });
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const worker = contextOf(db, shop.worker);
  await topUp(worker, { ...at, points: 200 });
  await redeem(worker, { ...at, points: 30 });
  await signIn(db, page, await makeAdmin(db));
  await page.goto(`/admin/transactions?merchantId=${shop.merchant.id}`);
  const rows = page.locator("tbody").getByRole("link");
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: new RegExp(`^${words.list.filters}`) }).click();
  await page.getByLabel(words.movements.type).click();
  await page.getByRole("option", { name: words.movements.types.REDEEM }).click();
  await expect(page).toHaveURL(/type=REDEEM/);
  await expect(rows).toHaveText([NAME]);
  await expect(page.getByLabel(transactions.totals)).toContainText("30 pts");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: transactions.export }).click(),
  ]);
  const csv = readFileSync(await download.path());
  expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [head, line, ...more] = csv.toString("utf8").trim().split("\r\n");
  expect(head).toContain("Time (Qatar),Type,Customer");
  expect(line).toContain(`,Redemption,'${NAME},${customer.publicId},`);
  expect(line).toContain(",-30,-30,170,");
  expect(more).toEqual([]);

  await rows.first().click();
  await page.getByRole("button", { name: transactions.reverse }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: transactions.reverse }).click();
  await expect(dialog.getByText(words.validation.reason.required)).toBeVisible();
  await dialog.getByLabel(transactions.reverseReason).fill("أُعيدت البضاعة");
  await dialog.getByRole("button", { name: transactions.reverse }).dblclick();
  await expect(page.getByText("أُعيدت البضاعة")).toBeVisible();
  await expect(page.getByRole("button", { name: transactions.reverse })).toBeHidden();
  const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
  expect([balance, movementCount]).toEqual([200, 3]);
  await page.getByRole("link", { name: transactions.all }).click();
  await expect(page).toHaveURL(/merchantId=.*type=REDEEM/);
});

test("an administrator previews a rate, overrides a merchant's rules, sees the history and withdraws the override", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop);
  await topUp(contextOf(db, shop.worker), {
    customerId: customer.id,
    branchId: shop.branch.id,
    points: 200,
  });
  await signIn(db, page, await makeAdmin(db, { role: "admin" }));
  await page.goto(`/admin/points-config?merchantId=${shop.merchant.id}`);
  const rate = page.getByLabel(config.dirhamsPerPoint);
  await rate.fill("2.50");
  const impact = page.getByLabel(config.impactTitle);
  await expect(impact).toContainText("200 pts");
  await expect(impact).toContainText("QAR 200.00");
  await expect(impact).toContainText("QAR 500.00");
  await rate.fill("0.5");
  await expect(impact).toContainText(config.impactRefused);
  await page.getByRole("button", { name: config.save }).click();
  await expect(page.getByText(words.errors.rate_lowered)).toBeVisible();
  await rate.fill("1");
  await expect(impact).toBeHidden();
  await page.getByLabel(config.maxTopUp).fill("٦٠٠٠");
  await page.getByRole("button", { name: config.save }).click();
  // A maximum waits while points are outstanding.
  await expect(page.getByText(config.waiting, { exact: true })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("6,000 pts");
  await page.getByRole("button", { name: config.cancel }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: config.cancel }).click();
  await expect(page.getByText(config.waiting, { exact: true })).toBeHidden();
  // A minimum does not wait, and neither does its return to the platform's.
  await page.getByLabel(config.minTopUp).fill("7");
  await page.getByRole("button", { name: config.save }).click();
  await expect(page.getByText(config.saved)).toBeVisible();
  await expect(page.getByRole("table")).toContainText("7 pts");
  await page.getByRole("button", { name: config.withdraw }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: config.withdraw }).click();
  await expect(page.getByRole("table")).toContainText(config.changeWithdrawn);
  await expect(page.getByLabel(config.maxTopUp)).toHaveValue("5000");
  // Only system administrators see the settings and their heading.
  await page.goto(`/admin/merchants/${shop.merchant.id}`);
  await expect(page.getByText(words.merchants.documents, { exact: true })).toBeVisible();
  await expect(page.getByText(words.merchants.settings, { exact: true })).toHaveCount(0);
});

test("an owner blocks and unblocks a card, and changing the password ends the owner's other session", async ({
  page,
  shop,
  db,
  browser,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Omar Khalil" });
  const otherPage = await (await browser.newContext()).newPage();
  await signIn(db, otherPage, shop.owner);
  await signIn(db, page, shop.owner);
  await page.goto(`/merchant/customers/${customer.publicId}`);
  await page.getByRole("button", { name: customers.block }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: customers.block }).click();
  await expect(page.getByText(customers.statuses.blocked, { exact: true })).toBeVisible();
  const add = { customerId: customer.id, branchId: shop.branch.id, points: 5 };
  await expect(topUp(contextOf(db, shop.worker), add)).rejects.toMatchObject({ code: "customer_blocked" });
  await page.getByRole("button", { name: customers.unblock }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: customers.unblock }).click();
  await expect(page.getByText(customers.statuses.blocked, { exact: true })).toBeHidden();
  await topUp(contextOf(db, shop.worker), add);

  await page.goto("/merchant/account");
  await page.getByLabel(account.password.old).fill("not the one");
  await page.getByLabel(account.password.new).fill("a quite new secret");
  await page.getByRole("button", { name: account.password.save }).click();
  await expect(page.getByText(words.errors.wrong_password)).toBeVisible();
  await page.getByLabel(account.password.old).fill(PASSWORD);
  await page.getByRole("button", { name: account.password.save }).click();
  await expect(page.getByText("Password changed. One other session has ended.")).toBeVisible();
  await otherPage.goto("/merchant/customers");
  await expect(otherPage.getByText(words.auth.ended)).toBeVisible();
  await page.getByText("العربية", { exact: true }).last().click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  expect((await db.user.findUniqueOrThrow({ where: { id: shop.owner.id } })).locale).toBe("ar");
});

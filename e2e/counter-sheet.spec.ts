import { LOCALES } from "@/lib/domain/roles";
import { makeCustomer, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { cutTextsOn } from "./support/cut-texts";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { counter, refund } = words;

test("the sheet shows branch, amount, pad and button at once, is whole with bill number and both balances, and its head says what stands in the way", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.worker);
  await test.step("a phone shows branch, amount, pad and button at once, upright and on its side", async () => {
    const fullName = "Sheikha Maryam bint Abdulrahman Al-Thani Al-Kuwari Al-Mohannadi";
    const customer = await makeCustomer(db, shop, { fullName });
    for (const [width, height] of [
      [360, 640],
      [780, 360],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of [`/employee/topup?customerId=${customer.id}`, `/topup/${customer.publicId}`]) {
        await page.goto(path);
        const dialog = page.getByRole("dialog");
        const amount = dialog.getByLabel(counter.amount, { exact: true });
        await amount.fill("125");
        const shown = [
          dialog.getByText(shop.branch.name),
          amount,
          dialog.getByText("Collect QAR 125.00"),
          dialog.getByRole("button", { name: "Add 10 points" }),
          dialog.getByRole("button", { name: "Add 125 pts · QAR 125.00" }),
        ];
        for (const part of shown) await expect(part).toBeInViewport({ ratio: 0.99 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
      }
    }
  });

  await test.step("the head says what stands in the way, before anything is sent", async () => {
    const [frozen, blocked, empty] = [
      await makeCustomer(db, shop, { status: "frozen" }),
      await makeCustomer(db, shop, { status: "blocked" }),
      await makeCustomer(db, shop),
    ];
    const dialog = page.getByRole("dialog");
    for (const [{ id }, text] of [
      [frozen, words.errors.customer_frozen],
      [blocked, words.errors.customer_blocked],
    ] as const) {
      await page.goto(`/employee/topup?customerId=${id}`);
      await expect(dialog.getByText(text)).toBeVisible();
      await expect(dialog.getByLabel(counter.amount, { exact: true })).toBeDisabled();
      await expect(dialog.getByRole("button", { name: "Add 10 points" })).toBeDisabled();
    }
    await page.goto(`/employee/topup?customerId=${empty.id}`);
    await dialog.getByLabel(counter.amount, { exact: true }).fill("20");
    await dialog.getByText(counter.redeemCash, { exact: true }).click();
    await expect(dialog.getByText(counter.empty)).toBeVisible();
    await expect(dialog.getByText("Not enough balance: 0 points are available.")).toBeVisible();
    await dialog.getByText(counter.addCash, { exact: true }).first().click();
    await expect(dialog.getByRole("button", { name: "Add 20 pts · QAR 20.00" })).toBeEnabled();
  });

  await test.step("nothing of the sheet is cut, the bill number and both balances included", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Mohammed Abdulrahman Al-Mohannadi" });
    await move(db, shop, customer, { points: 4_850 });
    const dialog = page.getByRole("dialog");
    for (const locale of LOCALES) {
      const { counter } = wordsOf(locale);
      await page.context().addCookies([{ name: "locale", value: locale, url: process.env.APP_URL ?? "" }]);
      await page.goto(`/employee/topup?customerId=${customer.id}`);
      await dialog.getByLabel(counter.amount, { exact: true }).fill("125");
      for (const [width, height] of [
        [360, 780],
        [768, 1024],
        [1024, 768],
        [1280, 860],
      ] as const) {
        const where = `${width} by ${height} (${locale})`;
        await page.setViewportSize({ width, height });
        for (const part of [
          dialog.getByLabel(counter.saleRef),
          dialog.getByText(counter.newBalance, { exact: true }),
        ])
          await expect(part, where).toBeInViewport({ ratio: 0.99 });
        expect(await cutTextsOn(page), where).toEqual([]);
      }
    }
  });
});

test("a cashier redeems the whole balance in one touch, and reads what to do with the money and what to return", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Change Guest" });
  await signIn(db, page, shop.worker);
  const dialog = page.getByRole("dialog");
  await page.goto(`/employee/topup?customerId=${customer.id}`);
  await dialog.getByLabel(counter.amount, { exact: true }).fill("35");
  await dialog.getByRole("button", { name: "Add 35 pts · QAR 35.00" }).click();
  await expect(dialog.getByText("Collect QAR 35.00")).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "Given 50" })).toContainText(
    "Return QAR 15.00",
  );
  await dialog.getByRole("button", { name: counter.next }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Change Guest" });
  await expect(row).toContainText("+QAR 35.00");

  await page.goto(`/employee/redeem?customerId=${customer.id}`);
  await expect(dialog.getByRole("button", { name: "Redeem 50 points" })).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "Redeem 10 points" })).toBeEnabled();
  await dialog.getByRole("button", { name: "All 35" }).click();
  await dialog.getByRole("button", { name: "Redeem 35 pts · QAR 35.00" }).click();
  await expect(dialog.getByText("QAR 35.00 off the bill")).toBeVisible();
  await dialog.getByRole("button", { name: counter.undo }).click();
  await expect(dialog.getByText("Put QAR 35.00 back on the bill")).toBeVisible();
});

test("a redemption is refunded in parts from the list, and a colleague's by its bill number", async ({
  page,
  shop,
  db,
}) => {
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { refundDays: 7 } });
  const customer = await makeCustomer(db, shop, { fullName: "Refund Guest" });
  await move(db, shop, customer, { points: 100 });
  await signIn(db, page, shop.worker);
  await page.goto(`/employee/redeem?customerId=${customer.id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("40");
  await dialog.getByLabel(counter.saleRef).fill("R-77");
  await dialog.getByRole("button", { name: "Redeem 40 pts · QAR 40.00" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Refund Guest" });
  const giveBack = async (points: string) => {
    await row.getByRole("button", { name: "Refund Refund Guest's redemption" }).click();
    await dialog.getByLabel(refund.points).fill(points);
    await dialog.getByLabel(refund.reason).fill("Returned");
    await dialog.getByRole("button", { name: refund.refund }).click();
    await expect(dialog).toBeHidden();
  };
  await giveBack("15");
  await expect(row).toContainText("25 pts left to refund");

  await signIn(db, page, await makeWorker(db, shop));
  await page.goto("/employee/topup");
  await page.getByRole("button", { name: counter.recent.tabs.redeem }).click();
  await expect(page.getByText(counter.recent.none)).toBeVisible();
  const bill = page.getByLabel(counter.recent.findSale);
  await bill.fill("R-7");
  await bill.press("Enter");
  await expect(page.getByText(counter.recent.noSale)).toBeVisible();
  await bill.fill("r-٧٧");
  await bill.press("Enter");
  await expect(row).toContainText("25 pts left to refund");
  await giveBack("");
  await expect(row).toContainText(counter.recent.refunded);
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).balance).toBe(100);
});

test("on a phone's side the customer's confirmation is whole, and whoever comes back to the amount can type it", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Side Guest" });
  await move(db, shop, customer, { points: 400 });
  await signIn(db, page, shop.worker);
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto(`/employee/redeem?customerId=${customer.id}`);
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel(counter.amount, { exact: true });
  await amount.fill("120");
  await page.keyboard.press("Enter");
  const { scan, send, back } = counter.proof;
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  for (const name of [scan, send, back]) await expect(button(name)).toBeInViewport({ ratio: 0.99 });
  await expect(button(scan)).toBeFocused();
  await button(back).click();
  await expect(amount).toBeFocused();
  await db.customer.update({ where: { id: customer.id }, data: { status: "frozen" } });
  await amount.fill("10");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(words.errors.customer_frozen)).toBeVisible();
  await expect(amount).toBeFocused();
});

test.describe("under a finger", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 780 } });

  test("Add and Redeem are 44 px high", async ({ page, shop, db }) => {
    const customer = await makeCustomer(db, shop);
    await signIn(db, page, shop.worker);
    for (const [width, height] of [
      [360, 780],
      [360, 640],
      [740, 360],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(`/employee/topup?customerId=${customer.id}`);
      const one = page.getByRole("dialog").locator("label").filter({ hasText: counter.redeemCash });
      await expect.poll(async () => (await one.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
    }
  });
});

import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { addDays, qatarDay } from "@/lib/domain/time";
import { translator } from "@/lib/i18n/translate";
import type { MovementType } from "@/lib/ledger/model/movements";
import { makeCustomer } from "@/lib/testing/factories";
import { holdCard } from "./support/holder";
import { figuresOf, untilSealed } from "./support/ledger";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

/** The next Friday after today, in Qatar. */
function nextFriday(): string {
  const today = qatarDay(new Date());
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return addDays(today, ((5 - weekday + 6) % 7) + 1);
}

/** The lines of a CSV file that this link downloads, without its header. */
async function downloadRows(page: Page, link: Locator): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const text = await readFile(await file.path(), "utf8");
  return text
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));
}

const locale: Locale = "ar";
test.use({ locale: "ar-QA" });

test("top-up by card, bonus to Friday, redemption, refund, its reversal: every page agrees", async ({
  page,
  shop,
  db,
}) => {
  // The test opens a dozen pages for three people.
  test.slow();
  const words = wordsOf(locale);
  const { counter, bonus, refund, transactions, movements, liability, ledger } = words;
  const t = translator(locale);
  // A point is worth a riyal here.
  const amounts = (n: number) => ({
    points: formatPoints(n, locale),
    cash: formatQar(cashValue(n, 100), locale),
  });
  const fullName = "ليلى حداد";
  const customer = await makeCustomer(db, shop, { fullName, locale });
  const dialog = page.getByRole("dialog");
  const openDialog = async (path: string) => {
    await page.goto(path);
    await page.getByLabel(counter.search.label, { exact: true }).fill(fullName);
    await page.getByRole("button", { name: fullName }).click();
    await expect(dialog.getByText(fullName)).toBeVisible();
  };

  await test.step("the worker tops up 100, paid by card, with a bill number", async () => {
    await signIn(db, page, shop.worker);
    await openDialog("/employee/topup");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("100");
    await dialog.getByRole("button", { name: movements.tenders.card, exact: true }).click();
    await dialog.getByLabel(counter.saleRef).fill("A-٧٠٤١");
    await dialog.getByRole("button", { name: t("counter.addAmount", amounts(100)) }).click();
    await expect(dialog.locator("[data-slot=sale]")).toContainText("A-7041");
  });

  await test.step("the owner gives a bonus of 20 that ends on Friday", async () => {
    await signIn(db, page, shop.owner);
    await page.goto(`/merchant/customers/${customer.id}`);
    await page.getByRole("button", { name: bonus.give }).click();
    await dialog.getByLabel(bonus.points).fill("20");
    await dialog.getByLabel(bonus.endsOn).fill(nextFriday());
    await dialog.getByLabel(bonus.reason).fill("Weekend");
    await dialog.getByRole("button", { name: bonus.give }).click();
    await expect(page.locator("[data-slot=pockets]")).toContainText(/100.*20/);
  });

  await test.step("the worker redeems 30: 20 of bonus and 10 paid", async () => {
    await signIn(db, page, shop.worker);
    await openDialog("/employee/redeem");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
    await dialog.getByLabel(counter.saleRef).fill("A-7042");
    await dialog.getByRole("button", { name: t("counter.redeemAmount", amounts(30)) }).click();
    await expect(dialog.locator("[data-slot=sale]")).toContainText(/10.*20.*A-7042/);
  });

  await test.step("the owner finds the redemption by its bill number, refunds 15 and reverses that", async () => {
    await signIn(db, page, shop.owner);
    await page.goto(`/merchant/transactions?search=${encodeURIComponent("A-٧٠٤٢")}`);
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("row").last()).toContainText("A-7042");
    await page.getByRole("row").last().getByRole("link").click();
    await page.getByRole("button", { name: refund.refund, exact: true }).click();
    await dialog.getByLabel(refund.points).fill("15");
    await dialog.getByLabel(refund.reason).fill("Cold coffee");
    await dialog.getByRole("button", { name: refund.refund, exact: true }).click();
    await expect(page.getByText("Cold coffee")).toBeVisible();
    await page.getByRole("button", { name: transactions.reverse, exact: true }).click();
    await dialog.getByLabel(transactions.reverseReason).fill("Typed wrongly");
    await dialog.getByRole("button", { name: transactions.reverse, exact: true }).click();
    await expect(page.getByText("Typed wrongly")).toBeVisible();
  });

  await test.step("the log has the columns, finds the bill, and its CSV has every figure", async () => {
    await page.goto("/merchant/transactions?search=A-7041");
    await expect(page.getByRole("row")).toHaveCount(2);
    await expect(page.getByRole("row").last()).toContainText(`${movements.tenders.card} · A-7041`);
    await page.goto("/merchant/transactions");
    const rows = await downloadRows(page, page.getByRole("link", { name: transactions.export }));
    const kind = (type: MovementType) => movements.types[type];
    // Type, points, QAR, balance, paid, bonus, tender, bill: newest first.
    expect(rows.map((cells) => [2, 8, 9, 10, 15, 16, 17, 18].map((column) => cells[column]))).toEqual([
      [kind("REVERSAL"), "-15", "-15", "90", "-10", "-5", "", ""],
      [kind("REFUND"), "15", "15", "105", "10", "5", "", ""],
      [kind("REDEEM"), "-30", "-30", "90", "-10", "-20", "", "A-7042"],
      [kind("BONUS"), "20", "20", "120", "0", "20", "", ""],
      [kind("TOP_UP"), "100", "100", "100", "100", "0", movements.tenders.card, "A-7041"],
    ]);
  });

  await test.step("the liability page and both of its files say the same", async () => {
    await page.goto("/merchant/liability");
    const points = {
      opening: ["0", "0", "0"],
      toppedUp: ["+100", "–", "+100"],
      bonusGiven: ["–", "+20", "+20"],
      redeemed: ["−10", "−20", "−30"],
      expired: ["–", "–", "–"],
      refunded: ["+10", "+5", "+15"],
      reversed: ["−10", "−5", "−15"],
      closing: ["90", "0", "90"],
    };
    for (const [line, figures] of Object.entries(points)) {
      await expect(figuresOf(page, "points", line), line).toHaveText(figures);
    }
    await expect(figuresOf(page, "qar", "closing")).toHaveText(["90.00", "0.00", "90.00"]);
    await expect(figuresOf(page, "qar", "revaluation")).toHaveText(["–", "–", "–"]);
    const report = await downloadRows(page, page.getByRole("link", { name: liability.download }));
    const closing = report.find(([, line]) => line === liability.closing);
    expect(closing?.slice(4)).toEqual(["90", "0", "90", "0"]);
    const journal = await downloadRows(page, page.getByRole("link", { name: liability.journal }));
    const sums = new Map<string, number>();
    for (const [, transaction = "", , account = "", amount] of journal) {
      sums.set(account, (sums.get(account) ?? 0) + Number(amount));
      sums.set(transaction, (sums.get(transaction) ?? 0) + Number(amount));
    }
    expect(sums.get(`assets:tender:card:${shop.branch.name}`)).toBe(100);
    expect(sums.get("liabilities:customers:paid")).toBe(-90);
    expect(sums.get("liabilities:customers:bonus")).toBe(0);
    const transactionSums = [...sums].filter(([name]) => !name.includes(":")).map(([, sum]) => sum);
    expect(transactionSums).toEqual([0, 0, 0, 0, 0]);
  });

  await test.step("the check of the ledger passes, with the seal of all five", async () => {
    await untilSealed(db, shop.merchant.id, 5);
    await page.goto("/merchant/ledger");
    await page.getByRole("button", { name: ledger.start }).click();
    await expect(page.getByText(ledger.ok)).toBeVisible();
    await expect(page.getByText(t("ledger.okText", { total: 5 }))).toBeVisible();
    await expect(page.locator("code").first()).toHaveText(/^([0-9a-f]{4}\s?){8,}$/);
  });

  await test.step("the card has the balance, and its statement names what happened", async () => {
    await holdCard(page.context(), db, customer.id);
    await page.goto(`/customer/loyalty-card/${customer.id}`);
    await expect(page.locator("[data-slot=balance]")).toHaveText(formatPoints(90, locale));
    const line = (type: MovementType) => page.locator(`li[data-type=${type}]`);
    const { kinds } = words.email.receipt;
    for (const type of ["REVERSAL", "REFUND", "REDEEM", "BONUS", "TOP_UP"] as const) {
      await expect(line(type)).toContainText(kinds[type]);
    }
    await expect(line("TOP_UP")).toContainText("A-7041");
    await expect(line("TOP_UP")).toContainText(movements.tenders.card);
    await expect(line("REDEEM")).toContainText(/A-7042.*20/);
    await expect(line("REFUND")).toContainText("+15");
  });
});

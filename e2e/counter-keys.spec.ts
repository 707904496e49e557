import type { Page } from "@playwright/test";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { liveCode } from "@/lib/ledger/proof";
import { makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { expect, signIn, test } from "./support/test";

/** A page whose mouse and touch are not used, with its texts. Counts the keys besides letters and digits. */
function keyboardOf(page: Page, locale: Locale) {
  let keys = 0;
  return {
    t: translator(locale),
    press: async (key: string) => {
      keys++;
      await page.keyboard.press(key);
    },
    type: (text: string) => page.keyboard.type(text),
    keys: () => keys,
  };
}

/** The name of the button that posts, where a point is worth a riyal. */
const amounts = (points: number, locale: Locale) => ({
  points: formatPoints(points, locale),
  cash: formatQar(cashValue(points, 100), locale),
});

test.describe("in Arabic", () => {
  test.use({ locale: "ar-QA" });

  test("the keyboard alone tops up, undoes and goes on to the next customer", async ({ page, shop, db }) => {
    const { t, press, type, keys } = keyboardOf(page, "ar");
    const first = await makeCustomer(db, shop, { fullName: "Keyboard Aisha" });
    const second = await makeCustomer(db, shop, { fullName: "Keyboard Badr" });
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    const search = page.getByLabel(t("counter.search.label"), { exact: true });
    const results = page.getByRole("list", { name: t("counter.search.results") });
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel(t("counter.amount"), { exact: true });
    await expect(search).toBeFocused();
    await type("keyboard ai");
    await expect(results.getByRole("button")).toHaveCount(1);
    await press("Enter");
    await expect(amount).toBeFocused();
    await expect(dialog.getByText(first.fullName)).toBeVisible();
    await type("999999");
    await expect(dialog.getByText(t("errors.above_maximum", { limit: 5000 }))).toBeVisible();
    await page.keyboard.press("ControlOrMeta+a");
    await type("125");
    await expect(dialog.locator("[data-slot=cash]")).toHaveText(
      t("counter.collect", { cash: amounts(125, "ar").cash }),
    );
    await expect(
      dialog.getByRole("button", { name: t("counter.addAmount", amounts(125, "ar")) }),
    ).toBeEnabled();
    await press("Enter");
    const next = dialog.getByRole("button", { name: t("counter.next") });
    await expect(dialog.getByText(t("counter.addedCash", { n: 125 }))).toBeVisible();
    await expect(next).toBeFocused();
    await press("Enter");
    await expect(search).toBeFocused();
    await expect(search).toHaveValue("");
    // Search, amount and next: three keys besides what is typed.
    expect(keys()).toBe(3);

    // Two hits: arrows move, and letters go back to the search.
    await type("keyboard ");
    await expect(results.getByRole("button")).toHaveCount(2);
    await press("ArrowDown");
    await press("ArrowDown");
    await expect(results.getByRole("button").last()).toBeFocused();
    await type("b");
    await expect(search).toHaveValue("keyboard b");
    await expect(results.getByRole("button")).toHaveCount(1);
    await press("Enter");
    await expect(dialog.getByText(second.fullName)).toBeVisible();
    // A number key starts the amount, wherever the keyboard is.
    await expect(amount).toBeFocused();
    await press("Tab");
    await expect(amount).not.toBeFocused();
    await type("50");
    await expect(amount).toHaveValue("50");
    await press("Enter");
    await expect(next).toBeFocused();
    await press("Shift+Tab");
    await expect(dialog.getByRole("button", { name: new RegExp(`^${t("counter.undo")}`) })).toBeFocused();
    await press("Enter");
    await expect(dialog.getByText(t("counter.undone", { n: 50 }))).toBeVisible();
    await expect(next).toBeFocused();
    await press("Enter");
    await expect(search).toBeFocused();
    const balance = async (id: string) => (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
    expect([await balance(first.id), await balance(second.id)]).toEqual([125, 0]);
  });
});

test("the keyboard alone redeems; above the limit the sheet asks before anything is sent", async ({
  page,
  shop,
  db,
}) => {
  const { t, press, type } = keyboardOf(page, "en");
  const customer = await makeCustomer(db, shop, { fullName: "Keyboard Dana" });
  await move(db, shop, customer, { points: 400 });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/redeem");
  const search = page.getByLabel(t("counter.search.label"), { exact: true });
  const dialog = page.getByRole("dialog");
  const open = async () => {
    await expect(search).toBeFocused();
    await type("keyboard d");
    await expect(page.getByRole("list", { name: t("counter.search.results") })).toBeVisible();
    await press("Enter");
    await expect(dialog.getByLabel(t("counter.amount"), { exact: true })).toBeFocused();
  };
  await open();
  await type("40");
  await expect(dialog.locator("[data-slot=cash]")).toHaveText(
    t("counter.discount", { cash: amounts(40, "en").cash }),
  );
  await press("Enter");
  await expect(dialog.getByText(t("counter.redeemedCash", { n: 40 }))).toBeVisible();
  await press("Enter");

  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/api/redeem-points")) sent++;
  });
  await open();
  await type("60");
  // 50 a day need no confirmation, and 40 are used.
  const reason = t("counter.confirmAbove", { points: formatPoints(10, "en") });
  await expect(dialog.getByText(reason)).toBeVisible();
  await press("Enter");
  await expect(dialog.getByText(t("counter.proof.title"))).toBeVisible();
  expect(sent).toBe(0);
  await press("Escape");
  await expect(dialog).toBeHidden();

  // A hardware scanner types the live code of the card, which confirms.
  const link = `${process.env.APP_URL}/topup/${customer.publicId}?code=${liveCode(customer.id, new Date())}`;
  await expect(search).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(link);
  await expect(dialog.getByText(t("counter.found"))).toBeVisible();
  await type("60");
  await expect(dialog.getByText(t("counter.confirmReady"))).toBeVisible();
  await press("Enter");
  await expect(dialog.getByText(t("counter.redeemedCash", { n: 60 }))).toBeVisible();
  expect((await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).balance).toBe(300);
});

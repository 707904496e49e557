import type { Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, test } from "./support/test";
import {
  meet,
  openCustomer,
  openTillCounter,
  pairBrowser,
  saveTopUp,
  sendsFromPagesOnly,
} from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, counter, offlineCounter: words } = wordsOf("en");

/** As on a full disk: a page that runs this stores nothing more in IndexedDB. */
function fillDisk(): void {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
}

/** From now on this page neither reads nor writes what the till keeps. */
async function blockStore(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
      if (this.name === "till-offline") throw new DOMException("blocked", "UnknownError");
      return transaction.apply(this, given);
    };
  });
}

/** Tops up the customer whose dialog is open, and goes on to the next. */
async function add(page: Page, points: number): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(counter.amount, { exact: true }).fill(String(points));
  await dialog.getByRole("button", { name: `Add ${points} pts` }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  await expect(dialog).toBeHidden();
}

const pointsOf = async (db: Db, merchantId: string) =>
  (await db.movement.findMany({ where: { merchantId }, orderBy: { points: "asc" } })).map(
    ({ points }) => points,
  );

test("a till whose disk is full goes on with a connection, and posts once what it could not keep without one", async ({
  page,
  context,
  db,
  shop,
}) => {
  for (const fullName of ["First Guest", "Second Guest"]) await makeCustomer(db, shop, { fullName });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  const list = page.locator("section", { has: page.getByRole("heading", { name: counter.recent.topup }) });
  await openCustomer(page, "First Guest");
  await page.evaluate(fillDisk);
  await add(page, 30);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await openCustomer(page, "Second Guest");
  await add(page, 40);
  await expect(list.getByRole("listitem")).toHaveCount(2);

  await context.setOffline(true);
  await expect(page.getByText(words.down)).toBeVisible();
  const dialog = await openCustomer(page, "First Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("20");
  await dialog.getByRole("button", { name: "Add 20 pts" }).click();
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(words.down)).toBeHidden();
  await dialog.getByRole("button", { name: counter.tryAgain }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  expect(await pointsOf(db, shop.merchant.id)).toEqual([20, 30, 40]);
});

test("a till that opens with a full disk still sends what it kept", async ({ page, context, db, shop }) => {
  await makeCustomer(db, shop, { fullName: "First Guest" });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, "First Guest");
  await context.setOffline(true);
  await saveTopUp(page, "First Guest", 15);
  await page.addInitScript(fillDisk);
  await page.reload();
  await expect(page.getByText(words.down)).toBeVisible();
  await context.setOffline(false);
  await expect.poll(() => pointsOf(db, shop.merchant.id)).toEqual([15]);
});

test("a till whose store fails sees that the line is back, and tops up over it", async ({
  page,
  context,
  db,
  shop,
}) => {
  await makeCustomer(db, shop, { fullName: "First Guest" });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await blockStore(page);
  await context.setOffline(true);
  await expect(page.getByText(words.down)).toBeVisible();
  // Nothing is found, and the counter says so instead of waiting.
  await page.getByLabel(counter.search.label, { exact: true }).fill("First");
  await expect(page.getByText(counter.search.failed)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(words.down)).toBeHidden();
  await page.getByLabel(counter.search.label, { exact: true }).fill("");
  await openCustomer(page, "First Guest");
  await add(page, 25);
  expect(await pointsOf(db, shop.merchant.id)).toEqual([25]);
});

test("a browser that cannot read its key for once stays a till", async ({ page, db, shop }) => {
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (this: IDBFactory, ...given) {
      if (given[0] === "till-device" && sessionStorage.getItem("blocked"))
        throw new DOMException("blocked", "UnknownError");
      return open.apply(this, given);
    };
  });
  await pairBrowser(page, db, shop);
  await page.evaluate(() => sessionStorage.setItem("blocked", "1"));
  await page.goto("/login/till");
  await expect(page.getByText(atTill.lost)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("till"))).toBe("paired");
  await page.evaluate(() => sessionStorage.removeItem("blocked"));
  await page.getByRole("button", { name: atTill.again }).click();
  await expect(page.getByRole("button", { name: shop.worker.lastName })).toBeVisible();
});

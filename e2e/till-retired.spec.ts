import type { Page } from "@playwright/test";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { TILL_PAGES_CACHE } from "@/lib/tills/model/offline-counter";
import { retireTill } from "@/lib/tills/tills";
import { expect, test } from "./support/test";
import {
  loadTillParts,
  meet,
  openTillCounter,
  pairBrowser,
  type Scope,
  sendsFromPagesOnly,
} from "./support/till";
import { wordsOf } from "./support/words";

const { atTill } = wordsOf("en");

/** What this browser keeps as a till: caches of pages, customers and rows of its cashier. */
async function keptIn(page: Page) {
  await loadTillParts(page);
  return page.evaluate(async (prefix) => {
    const store = await (window as unknown as Scope).tillParts.openStore();
    const names = (await caches.keys()).filter((name) => name.startsWith(prefix));
    return [names, await store.count("customers"), await store.count("cashier")];
  }, TILL_PAGES_CACHE);
}

test("a till that is retired forgets whom it met and keeps nobody new, under its open counter and at its sign-in", async ({
  page,
  db,
  shop,
}) => {
  await test.step("a till that is retired under its open counter forgets whom it met, and keeps nobody new", async () => {
    for (const fullName of ["First Guest", "Second Guest"]) await makeCustomer(db, shop, { fullName });
    await sendsFromPagesOnly(page);
    const till = await pairBrowser(page, db, shop);
    await openTillCounter(page, db, shop.worker);
    await meet(page, "First Guest");
    await retireTill(contextOf(db, shop.owner), { id: till.id });
    await meet(page, "Second Guest");
    expect(await page.evaluate(() => localStorage.getItem("till"))).toBe("retired");
    expect(await keptIn(page)).toEqual([[], 0, 0]);
  });

  await test.step("a till that learns at its sign-in that it is retired forgets whom it met", async () => {
    const till = await pairBrowser(page, db, shop);
    await openTillCounter(page, db, shop.worker);
    await meet(page, "First Guest");
    await page.goto("about:blank");
    await retireTill(contextOf(db, shop.owner), { id: till.id });
    await page.goto("/login/till");
    await expect(page.getByText(atTill.retiredTitle)).toBeVisible();
    expect(await keptIn(page)).toEqual([[], 0, 0]);
  });
});

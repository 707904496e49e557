import type { Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import type { Branch, Customer, User } from "@/lib/db/generated/client";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, test } from "./support/test";
import {
  loadTillParts,
  meet,
  openCustomer,
  openTillCounter,
  pairBrowser,
  type Scope,
  saveTopUp,
  sendsFromPagesOnly,
  waitForRules,
} from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, counter, offlineCounter: words } = wordsOf("en");
type Shop = { worker: User; branch: Branch };

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

test("a till whose disk is full posts once what it could not keep; one that an older page filled stores its customers under the public id, and what waits is posted", async ({
  page,
  context,
  db,
  shop,
}) => {
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await test.step("a full disk: it goes on with a connection, and posts once what it could not keep without one", async () => {
    for (const fullName of ["First Guest", "Second Guest"]) await makeCustomer(db, shop, { fullName });
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

  await test.step("an older page's store", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Older Guest" });
    // The disk has room again.
    await page.reload();
    await waitForRules(page);
    await meet(page, "Older Guest");
    await context.setOffline(true);
    await expect(page.getByText(words.down)).toBeVisible();
    await keepByPrivateId(page, shop, customer);
    await page.reload();
    await expect(page.getByText(words.down)).toBeVisible();
    await loadTillParts(page);
    const stored = () =>
      page.evaluate(async ({ id, publicId }) => {
        const store = await (window as unknown as Scope).tillParts.openStore();
        const read = { customers: await store.getAll("customers"), lists: await store.getAll("cashier") };
        // As a page of the earlier version finds a customer.
        const byOldPage = async (one: string) =>
          (await store.get("customers", one)) ?? (await store.getFromIndex("customers", "publicId", one));
        const [entry] = await store.getAll("waiting");
        return {
          names: read.customers.map((one) => [one.id, one.publicId]),
          private: JSON.stringify(read).includes(id),
          byOldPage: (await byOldPage(publicId))?.fullName,
          waits: [entry?.entry.customerId, entry?.publicId],
        };
      }, customer);
    const { id, publicId } = customer;
    const rewritten = {
      names: [[publicId, publicId]],
      private: false,
      byOldPage: "Older Guest",
      waits: [id, publicId],
    };
    await expect.poll(stored).toEqual(rewritten);

    // The balance includes what waits, and a second top-up is kept under the public id.
    const dialog = await openCustomer(page, "Older Guest");
    await expect(dialog.getByText("15 pts", { exact: true }).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await saveTopUp(page, "Older Guest", 20);
    expect(await stored()).toEqual(rewritten);
    await context.setOffline(false);
    await expect.poll(() => pointsOf(db, shop.merchant.id)).toEqual([15, 20, 20, 30, 40]);
    const { balance } = await db.customer.findUniqueOrThrow({ where: { id } });
    expect(balance).toBe(35);
  });
});

test("a till whose store fails sees that the line is back, and tops up over it; one that opens with a full disk still sends what it kept", async ({
  page,
  context,
  db,
  shop,
}) => {
  await makeCustomer(db, shop, { fullName: "First Guest" });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await test.step("a till whose store fails sees that the line is back, and tops up over it", async () => {
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

  await test.step("a till that opens with a full disk still sends what it kept", async () => {
    // The store works again on a page that is loaded anew.
    await page.reload();
    await waitForRules(page);
    await meet(page, "First Guest");
    await context.setOffline(true);
    await saveTopUp(page, "First Guest", 15);
    await page.addInitScript(fillDisk);
    await page.reload();
    await expect(page.getByText(words.down)).toBeVisible();
    await context.setOffline(false);
    await expect.poll(() => pointsOf(db, shop.merchant.id)).toEqual([15, 25]);
  });
});

/**
 * Fills the till's store as an older page did: the customer by the private id, and a top-up of 15 points that it signed
 * under that id.
 */
async function keepByPrivateId(page: Page, { worker, branch }: Shop, { id, publicId, fullName }: Customer) {
  await loadTillParts(page);
  const given = { id, publicId, fullName, iWorkerId: worker.id, iBranchId: branch.id };
  await page.evaluate(async ({ id, publicId, fullName, iWorkerId, iBranchId }) => {
    const { CompactSign, openStore, readDevice } = (window as unknown as Scope).tillParts;
    const [db, device] = [await openStore(), await readDevice()];
    const [known] = await db.getAll("customers");
    const about = await db.get("about", "till");
    if (!device || !known || !about) throw new Error("no till that has met somebody");
    await db.clear("customers");
    await db.put("customers", { ...known, id, publicId, fullName });
    const n = about.nextEntry;
    const entry = {
      n,
      sKey: crypto.randomUUID(),
      iWorkerId,
      customerId: id,
      iBranchId,
      sPoints: 15,
      eTender: "cash" as const,
      dOccurredAt: new Date().toISOString(),
    };
    const sSig = await new CompactSign(new TextEncoder().encode(JSON.stringify(entry)))
      .setProtectedHeader({ alg: "ES256" })
      .sign(device.keys.privateKey);
    const { keys, till } = device;
    const kept = { tillId: till.id, n, key: entry.sKey, keys, keyId: "old", customerName: fullName };
    await db.put("waiting", { ...kept, entry: { ...entry, sSig } });
    await db.put("about", { ...about, nextEntry: n + 1 }, "till");
    await db.put("cashier", { handle: "x", recent: [{ id: "m", customerId: id }], at: 1 }, "recent.redeem");
  }, given);
}

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

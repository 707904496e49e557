import type { Page, Worker } from "@playwright/test";
import { makeCustomer } from "@/lib/testing/factories";
import { SYNC_TAG, TILL_CASHIER_URL, TILL_PAGES, TILL_PAGES_CACHE } from "@/lib/tills/model/offline-counter";
import { barOf, enter, lockOf, makeCashiers } from "./support/cashiers";
import { test } from "./support/slow-line";
import { expect } from "./support/test";
import {
  loadTillParts,
  meet,
  openTillCounter,
  pairBrowser,
  type Scope,
  saveTopUp,
  sendsFromPagesOnly,
} from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, noConnection } = wordsOf("en");

/** The till's service worker. */
function workerOf(page: Page): Worker {
  const worker = page
    .context()
    .serviceWorkers()
    .find((one) => one.url().endsWith("/sw.js"));
  if (!worker) throw new Error("no worker");
  return worker;
}

/** Gives a service worker an event as the browser does, and answers whether the work that it began succeeded. */
function give(worker: Worker, name: "SyncEvent" | "ExtendableMessageEvent", init: object): Promise<boolean> {
  return worker.evaluate(
    async ([kind, of]) => {
      type Waiting = Event & { waitUntil: (work: Promise<unknown>) => void };
      type Kinds = Record<string, new (type: string, about: object) => Waiting>;
      const Kind = (globalThis as unknown as Kinds)[kind];
      if (!Kind) throw new Error(`no ${kind}`);
      const event = new Kind(kind === "SyncEvent" ? "sync" : "message", of);
      const begun: Promise<unknown>[] = [];
      event.waitUntil = (work) => void begun.push(work);
      globalThis.dispatchEvent(event);
      const ended = await Promise.allSettled(begun);
      return ended.every(({ status }) => status === "fulfilled");
    },
    [name, init] as const,
  );
}

test("the browser tries again later where a page is sending, and no more once everything is sent", async ({
  page,
  context,
  db,
  shop,
}) => {
  await makeCustomer(db, shop, { fullName: "Synced Guest" });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, "Synced Guest");
  await context.route(/\/api\/(?:tills|top-up-points|health)/, (route) => route.abort());
  await saveTopUp(page, "Synced Guest", 10);
  // As a page does while it sends.
  await page.evaluate(
    () =>
      new Promise<void>((begun) => {
        void navigator.locks.request("till-send", () => {
          begun();
          return new Promise(() => undefined);
        });
      }),
  );
  const worker = workerOf(page);
  const sync = () => give(worker, "SyncEvent", { tag: SYNC_TAG });
  expect(await sync()).toBe(false);
  await page.close();
  await context.unrouteAll();
  // The lock of a closed page goes with it, a moment later.
  await expect.poll(sync).toBe(true);
  expect(await sync()).toBe(true);
  const rows = await db.movement.findMany({ where: { merchantId: shop.merchant.id } });
  expect(rows.map(({ points }) => points)).toEqual([10]);
});

test("pages that a cashier's session was given, and that arrive after it has ended, are not kept", async ({
  page,
  context,
  line,
  db,
  shop,
}) => {
  await makeCashiers(db, shop);
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await page.goto("/login/till");
  await enter(page, "Sara Nasser");
  await expect(barOf(page)).toContainText("Sara Nasser");
  const kept = () =>
    page.evaluate(async ([url, cacheName]) => (await caches.match(url, { cacheName }))?.text(), [
      TILL_CASHIER_URL,
      TILL_PAGES_CACHE,
    ] as const);
  const handle = (await page.evaluate(() => localStorage.getItem("token"))) ?? "";
  await expect.poll(kept, { timeout: 90_000 }).toBe(handle);

  const pages = line.hold(
    "answer",
    (path, headers) => TILL_PAGES.some((one) => one === path) && headers["sec-fetch-dest"] === "empty",
  );
  const keeping = give(workerOf(page), "ExtendableMessageEvent", { data: { keepTill: handle } });
  await expect.poll(pages.count).toBe(TILL_PAGES.length);
  await barOf(page).getByRole("button", { name: atTill.change }).click();
  await expect(lockOf(page)).toBeVisible();
  await loadTillParts(page);
  const cashiers = () =>
    page.evaluate(async () => (await (window as unknown as Scope).tillParts.openStore()).count("cashier"));
  await expect.poll(cashiers).toBe(0);
  await pages.release();
  await keeping;
  expect(await page.evaluate((name) => caches.has(name), TILL_PAGES_CACHE)).toBe(false);
  await context.setOffline(true);
  await page.goto("/employee/topup");
  await expect(page.getByRole("heading", { name: noConnection.pageTitle })).toBeVisible();
  await context.setOffline(false);
});

import type { Page, Worker } from "@playwright/test";
import { SYNC_TAG } from "@/lib/domain/offline-counter";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, test } from "./support/test";
import { meet, openTillCounter, pairBrowser, saveTopUp, sendsFromPagesOnly } from "./support/till";

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

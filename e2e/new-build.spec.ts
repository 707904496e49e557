import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "@playwright/test";
import { makeCustomer } from "@/lib/testing/factories";
import { buildServiceWorker } from "@/scripts/lib/build";
import { ownFolder, startOwnServer } from "./support/own-server";
import { expect, test } from "./support/test";
import {
  loadTillParts,
  meet,
  openCustomer,
  openTillCounter,
  pairBrowser,
  saveTopUp,
  waitingIn,
} from "./support/till";
import { wordsOf } from "./support/words";

const { counter, offlineCounter: words } = wordsOf("en");
/** Longer than a page is left alone before it loads itself anew. */
const QUIET = 15_000;

/**
 * Makes the browser check for a new worker until another one comes, and waits for its outcome. A check may fail, as
 * right after an outage, and may find what another one has started.
 */
async function expectUpdate(page: Page, lay: () => Promise<void>, state: ServiceWorkerState): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/employee");
    if (!registration) throw new Error("no worker");
    delete document.documentElement.dataset.worker;
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      const look = () => {
        document.documentElement.dataset.worker = installing?.state;
      };
      installing?.addEventListener("statechange", look);
      look();
    });
  });
  await lay();
  const update = () =>
    page.evaluate(async (wanted) => {
      const { dataset } = document.documentElement;
      const isOver = dataset.worker === "redundant" && wanted !== "redundant";
      if (dataset.worker === undefined || isOver) {
        // The script fails where its pages cannot be fetched.
        await (await navigator.serviceWorker.getRegistration("/employee"))?.update().catch(() => undefined);
      }
      return dataset.worker;
    }, state);
  await expect.poll(update).toBe(state);
}

/** Lays another build's worker where the server's is, in a folder of its own. */
async function layWorker(folder: string, change: Parameters<typeof buildServiceWorker>[1]): Promise<void> {
  const script = join(folder, "public/sw.js");
  // Only the link: the file is the build's.
  rmSync(script);
  await buildServiceWorker(script, change);
}

const PAGES = "**/employee/{topup,redeem}";

/** Answers a page as another build would. */
const pageThat = (change: (html: string) => string) => async (route: Route) => {
  const response = await route.fetch({ maxRedirects: 0 });
  await route.fulfill({ response, body: change(await response.text()) });
};

/** Whether the page is still the one that was marked. */
const isSamePage = (page: Page) => page.evaluate(() => document.documentElement.dataset.marked === "1");

test("a new build while top-ups wait: nothing typed or kept is lost, the till says so and loads itself anew when idle", async ({
  browser,
  shop,
  db,
}) => {
  test.slow();
  const { folder, remove } = ownFolder();
  const server = await startOwnServer(folder);
  /** Lays another build's worker where the server's is: one that keeps other scripts than the page is of. */
  const layBuild = (without: string) =>
    layWorker(folder, (shell) => shell.filter(({ url }) => url !== without));
  try {
    const context = await browser.newContext({ baseURL: server.url, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.clock.install();
    const customer = await makeCustomer(db, shop, { fullName: "Known Guest" });
    const till = await pairBrowser(page, db, shop);
    await openTillCounter(page, db, shop.worker);
    await meet(page, "Known Guest");
    const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => src));
    const [first = "", second = ""] = scripts
      .filter((src) => src.includes("/_next/static/chunks/") && !src.includes("polyfill"))
      .map((src) => new URL(src).pathname);
    const down = /\/api\/(?:tills\/sync|top-up-points$|health)/;
    await context.route(down, (route) => route.abort());
    for (const points of [3, 4]) await saveTopUp(page, "Known Guest", points);
    await page.evaluate(() => {
      document.documentElement.dataset.marked = "1";
    });

    // The line drops, the server stands still, or one of another build answers while the new build is fetched: the one
    // before goes on, and opens without a connection.
    const failures = {
      "no connection": (route: Route) => route.abort(),
      "no server": (route: Route) => route.fulfill({ status: 503 }),
      "another build's page": pageThat((html) => html),
      "a file that is missing": pageThat(
        (html) => `${html.replaceAll(first, second)}<!-- /_next/static/media/none.woff2 -->`,
      ),
    };
    const whole = pageThat((html) => html.replaceAll(first, second));
    await context.route("**/employee/topup", whole);
    for (const [name, fail] of Object.entries(failures)) {
      await test.step(name, async () => {
        await context.route("**/employee/redeem", fail);
        await expectUpdate(page, () => layBuild(first), "redundant");
        await context.unroute("**/employee/redeem", fail);
      });
    }
    await context.unroute("**/employee/topup", whole);
    const banner = page.locator("[data-slot=offline]");
    await expect(banner).not.toContainText(words.newVersion);
    await context.setOffline(true);
    const tab = await context.newPage();
    await tab.goto("/employee/topup");
    await expect(tab.getByText(words.down, { exact: true })).toBeVisible();
    await tab.close();
    await context.setOffline(false);

    // With the whole of it the new build takes over, under a sheet that somebody types in.
    const dialog = await openCustomer(page, "Known Guest");
    const amount = dialog.getByLabel(counter.amount, { exact: true });
    await amount.fill("33");
    const next = pageThat((html) => html.replaceAll(second, first));
    await context.route(PAGES, next);
    await expectUpdate(page, () => layBuild(second), "activated");
    await context.unroute(PAGES, next);
    await expect(page.getByText(words.newVersion)).toBeAttached();
    await page.clock.fastForward(QUIET);
    await expect(amount).toHaveValue("33");
    expect(await isSamePage(page)).toBe(true);
    expect(await waitingIn(page)).toBe(2);
    await dialog.getByRole("button", { name: "Add 33 pts" }).click();
    await expect(dialog.getByText(words.saved)).toBeVisible();
    await dialog.getByRole("button", { name: counter.next }).click();
    await expect(dialog).toBeHidden();
    await expect(banner.getByRole("button", { name: words.reload })).toBeVisible();
    await expect(async () => {
      await page.clock.fastForward(QUIET);
      expect(await isSamePage(page)).toBe(false);
    }).toPass();
    await expect(banner).toContainText("3 top-ups are waiting to be sent");
    await expect(banner).not.toContainText(words.newVersion);

    await context.unroute(down);
    await loadTillParts(page);
    await expect.poll(() => waitingIn(page), { timeout: 90_000 }).toBe(0);
    const rows = await db.movement.findMany({ where: { customerId: customer.id }, orderBy: { seq: "asc" } });
    expect(rows.map(({ points, tillId }) => [points, tillId])).toEqual([
      [3, till.id],
      [4, till.id],
      [33, till.id],
    ]);
    await context.close();
  } finally {
    await server.stop();
    remove();
  }
});

test("pages of a session that has ended do not come back with a new build", async ({ browser, shop, db }) => {
  const { folder, remove } = ownFolder();
  const server = await startOwnServer(folder);
  try {
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await pairBrowser(page, db, shop);
    await openTillCounter(page, db, shop.worker);
    const keptPages = () =>
      page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("till-pages")));
    // A build that has its pages and not all of its files.
    const missing = { url: "/_next/static/chunks/missing.js", revision: null };
    // Once: the browser tries again by itself when the till is opened.
    const asked = new Promise<void>((done, fail) => {
      const answer = async (route: Route) => {
        await expect.poll(keptPages).toHaveLength(2);
        await route.fulfill({ status: 503 });
      };
      void context.route(`**${missing.url}`, (route) => answer(route).then(done, fail), { times: 1 });
    });
    await expectUpdate(page, () => layWorker(folder, (shell) => [...shell, missing]), "redundant");
    await asked;
    await db.session.updateMany({ where: { userId: shop.worker.id }, data: { revokedAt: new Date() } });
    // The server hears within a second that a session which it remembers has ended.
    await expect(async () => {
      await page.goto("/employee/topup");
      await expect(page).toHaveURL(/\/login/, { timeout: 2_000 });
    }).toPass();
    const icon = (shell: { url: string; revision: string | null }[]) =>
      shell.map((one) => (one.url === "/icon.svg" ? { ...one, revision: "next" } : one));
    await expectUpdate(page, () => layWorker(folder, icon), "activated");
    expect(await keptPages()).toEqual([]);
    await context.close();
  } finally {
    await server.stop();
    remove();
  }
});

import type { Browser, Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import type { Customer, Till, User } from "@/lib/db/generated/client";
import { makeCustomer, makeWorker } from "@/lib/testing/factories";
import { MAX_ENTRIES } from "@/lib/tills/model/offline-counter";
import { startOwnServer } from "./support/own-server";
import { expect, test } from "./support/test";
import {
  keepMany,
  loadTillParts,
  meet,
  openTillCounter,
  pairBrowser,
  saveTopUp,
  waitingIn,
} from "./support/till";
import { wordsOf } from "./support/words";

const words = wordsOf("en").offlineCounter;
const LONG = process.env.LONG === "1";
const COUNT = LONG ? 500 : 40;
const LOSSES = 3;
// Each lost answer is followed by a wait of up to ten seconds, and a sync of fifty takes a busy machine as long.
const PATIENCE = LONG ? 3_000_000 : 240_000;
const NAMES = ["First Guest", "Second Guest"];

type Shop = Parameters<typeof makeWorker>[1];
type Counter = { page: Page; till: Till; worker: User };

/** A paired till at its counter, which knows the customers, without a connection. */
async function openOffline(browser: Browser, url: string, db: Db, shop: Shop): Promise<Counter> {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  const till = await pairBrowser(page, db, shop);
  const worker = await makeWorker(db, shop);
  await openTillCounter(page, db, worker);
  for (const name of NAMES) await meet(page, name);
  await context.setOffline(true);
  return { page, till, worker };
}

/** Each entry posted once, none lost, in order. */
async function expectPosted(db: Db, { till, worker }: Counter, count: number): Promise<void> {
  const entries = await db.offlineEntry.findMany({ where: { tillId: till.id }, orderBy: { n: "asc" } });
  expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(entries.every(({ code }) => code === null)).toBe(true);
  const posted = await db.movement.findMany({
    where: { tillId: till.id },
    orderBy: { seq: "asc" },
    include: { customer: { select: { publicId: true } } },
  });
  // The till names a customer by the public id.
  const movements = posted.map(({ customer, ...one }) => ({ ...one, customerId: customer.publicId }));
  expect(movements.map(({ id }) => id).sort()).toEqual(entries.map(({ movementId }) => movementId).sort());
  // A batch is posted card by card: on each card in the order of the till.
  for (const customerId of new Set(movements.map((movement) => movement.customerId))) {
    const ofCard = <T extends { customerId: string | null }>(rows: T[]) =>
      rows.filter((row) => row.customerId === customerId);
    expect(ofCard(movements).map(({ id }) => id)).toEqual(
      ofCard(entries).map(({ movementId }) => movementId),
    );
  }
  expect(new Set(movements.map(({ actorId }) => actorId))).toEqual(new Set([worker.id]));
}

/**
 * Lets the server do what a sync asks, and loses the first three answers of each: the page's and its service worker's.
 * Answers how many were lost, by the number of the first entry that was sent.
 */
async function loseAnswers(page: Page): Promise<Map<number, number>> {
  const lost = new Map<number, number>();
  await page.context().route("**/api/tills/sync", async (route) => {
    const { entries } = route.request().postDataJSON() as { entries: { n: number }[] };
    const first = entries[0]?.n ?? 0;
    const before = lost.get(first) ?? 0;
    if (before >= LOSSES) return route.continue();
    // The page gives up first, where the machine is so busy.
    const answer = await route.fetch({ timeout: PATIENCE }).catch(() => null);
    if (answer?.ok()) lost.set(first, before + 1);
    await route.abort().catch(() => undefined);
  });
  return lost;
}

/** Each sync that a till needs, at most 50 entries, was answered and lost three times. */
const eachLost = () =>
  Array.from({ length: Math.ceil(COUNT / MAX_ENTRIES) }, (_, at) => [at * MAX_ENTRIES + 1, LOSSES]);

test("three tills at once: reloads, a closed tab, two tabs, lost answers and repeats post each top-up once", async ({
  browser,
  baseURL,
  shop,
  db,
}) => {
  test.setTimeout(2 * PATIENCE);
  // Nobody touches these tills: one that asks who is there would wait for a cashier.
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { idleLockMinutes: 0 } });
  const customers: Customer[] = [];
  for (const fullName of NAMES) customers.push(await makeCustomer(db, shop, { fullName }));
  const url = baseURL ?? "";
  const open = () => openOffline(browser, url, db, shop);
  const counters = await Promise.all([open(), open(), open()]);
  const [first, second, third] = counters;
  const ask = (count: number) => ({ branchId: shop.branch.id, customers, count });
  const keep = async ({ page, worker }: Counter, count: number) => {
    await loadTillParts(page);
    return keepMany(page, worker, ask(count));
  };

  const reloaded = async () => {
    for (const points of [3, 4]) await saveTopUp(first.page, "First Guest", points);
    await first.page.reload();
    await keep(first, COUNT - 3);
    await first.page.reload();
    await saveTopUp(first.page, "Second Guest", 5);
  };
  const closed = async () => {
    await keep(second, COUNT - 1);
    const context = second.page.context();
    await second.page.close();
    second.page = await context.newPage();
    await second.page.goto("/employee/topup");
    await saveTopUp(second.page, "Second Guest", 6);
  };
  const doubled = async () => {
    const tab = await third.page.context().newPage();
    await tab.goto("/employee/topup");
    const other = { ...third, page: tab };
    const numbers = await Promise.all([keep(third, COUNT / 2), keep(other, COUNT / 2)]);
    expect(numbers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, at) => at + 1));
  };
  await Promise.all([reloaded(), closed(), doubled()]);
  for (const { page } of counters) expect(await waitingIn(page)).toBe(COUNT);

  const losses = await Promise.all(counters.map(({ page }) => loseAnswers(page)));
  await Promise.all(counters.map(({ page }) => page.context().setOffline(false)));
  for (const { page } of counters) {
    await expect.poll(() => waitingIn(page), { timeout: PATIENCE }).toBe(0);
  }
  for (const lost of losses) expect([...lost].sort(([a], [b]) => a - b)).toEqual(eachLost());
  for (const counter of counters) await expectPosted(db, counter, COUNT);
  const held = await db.customer.findMany({ where: { id: { in: customers.map(({ id }) => id) } } });
  const extra = 3 + 4 + 5 + 6 - 4;
  expect(held.reduce((sum, { balance }) => sum + balance, 0)).toBe(3 * COUNT + extra);
  await expect(first.page.locator("[data-slot=offline]")).toBeHidden();
  for (const { page } of counters) await page.context().close();
});

test("a server that is killed in the middle of a sync neither loses nor doubles", async ({
  browser,
  shop,
  db,
}) => {
  test.setTimeout(480_000);
  const server = await startOwnServer();
  try {
    const customers: Customer[] = [];
    for (const fullName of NAMES) customers.push(await makeCustomer(db, shop, { fullName }));
    const counter = await openOffline(browser, server.url, db, shop);
    const { page, worker, till } = counter;
    await loadTillParts(page);
    await keepMany(page, worker, { branchId: shop.branch.id, customers, count: 120 });
    let syncs = 0;
    let killed: Promise<void> | undefined;
    await page.route("**/api/tills/sync", async (route) => {
      syncs++;
      // The second of three is under way when the server goes.
      if (syncs === 2) {
        const sent = route.continue();
        killed = server.kill();
        return sent;
      }
      return route.continue();
    });
    await page.context().setOffline(false);
    await expect.poll(() => killed !== undefined).toBe(true);
    await killed;
    await expect(page.getByText(words.down)).toBeVisible();
    await saveTopUp(page, "First Guest", 7);
    expect(await waitingIn(page)).toBeGreaterThan(20);
    // The counter opens although nothing answers.
    await page.reload();
    await expect(page.getByText(words.down)).toBeVisible();
    await server.restart();
    await expect.poll(() => waitingIn(page), { timeout: 180_000 }).toBe(0);
    await expectPosted(db, counter, 121);
    expect(await db.movement.count({ where: { tillId: till.id } })).toBe(121);
    await page.context().close();
  } finally {
    await server.stop();
  }
});

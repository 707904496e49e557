import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { build } from "esbuild";
import { calculateJwkThumbprint } from "jose";
import type { Db } from "@/lib/db/client";
import type { Branch, Customer, Merchant, Till, User } from "@/lib/db/generated/client";
import { TILL_CASHIER_URL, TILL_PAGES_CACHE } from "@/lib/tills/model/offline-counter";
import { expect, signIn } from "./test";
import type { TillParts } from "./till-parts";
import { wordsOf } from "./words";

const { counter, offlineCounter } = wordsOf("en");
type Shop = { merchant: Merchant; branch: Branch };
export type Scope = { tillParts: TillParts };

/** How often to look at what a till keeps. */
const OFTEN = [100, 250];

let bundled: Promise<string> | undefined;
async function bundle(): Promise<string> {
  const options = { bundle: true, write: false, format: "iife", target: "es2022" } as const;
  const result = await build({ ...options, entryPoints: ["e2e/support/till-parts.ts"] });
  return result.outputFiles[0]?.text ?? "";
}

/** Puts the till's modules into the open page, for `page.evaluate`. */
export async function loadTillParts(page: Page): Promise<void> {
  bundled ??= bundle();
  await page.evaluate(await bundled);
}

/**
 * Makes this page's browser one without Background Sync, as Safari and Firefox are. Its worker would else send what waits
 * at a moment of its own, since a page's missing connection is not always its worker's.
 */
export async function sendsFromPagesOnly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { SyncManager } = window as unknown as { SyncManager?: { prototype: object } };
    if (SyncManager)
      Object.assign(SyncManager.prototype, { register: () => Promise.reject(new Error("off")) });
  });
}

/** Makes this page's browser a till of the shop's branch: the key is made in the browser and stays there. */
export async function pairBrowser(page: Page, db: Db, { merchant, branch }: Shop): Promise<Till> {
  await page.goto("/privacy");
  await loadTillParts(page);
  const id = randomUUID();
  const name = `Till ${id.slice(0, 8)}`;
  const device = { id, name, branch: branch.name, merchant: merchant.businessName };
  const jwk = await page.evaluate(async (of) => {
    const { newKeys, keepDevice, publicJwk } = (window as unknown as Scope).tillParts;
    const keys = await newKeys();
    await keepDevice({ keys, till: of });
    return publicJwk(keys);
  }, device);
  const key = { publicKey: { ...jwk }, thumbprint: await calculateJwkThumbprint(jwk), pairedAt: new Date() };
  return db.till.create({
    data: { id, name, merchantId: merchant.id, branchId: branch.id, ...key },
  });
}

/** Waits until the till knows what it may keep. */
export async function waitForRules(page: Page): Promise<void> {
  await loadTillParts(page);
  const known = () =>
    page.evaluate(async () => {
      const { openStore } = (window as unknown as Scope).tillParts;
      return (await (await openStore()).get("about", "till")) !== undefined;
    });
  await expect.poll(known, { intervals: OFTEN }).toBe(true);
}

/** Opens the counter of a paired till for a worker, and waits until it would open without a connection. */
export async function openTillCounter(page: Page, db: Db, worker: User): Promise<void> {
  await signIn(db, page, worker);
  await page.goto("/employee/topup");
  const kept = () =>
    page.evaluate(([url, cacheName]) => caches.match(url, { cacheName }).then(Boolean), [
      TILL_CASHIER_URL,
      TILL_PAGES_CACHE,
    ] as const);
  await expect.poll(kept, { timeout: 90_000, intervals: OFTEN }).toBe(true);
  const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  await expect.poll(isControlled, { intervals: OFTEN }).toBe(true);
  await waitForRules(page);
}

/** Opens a customer's dialog from the search. */
export async function openCustomer(page: Page, name: string) {
  await page.getByLabel(counter.search.label, { exact: true }).fill(name);
  // The recent list has buttons with the same name.
  const results = page.getByRole("list", { name: counter.search.results });
  await results.getByRole("button", { name }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(name)).toBeVisible();
  return dialog;
}

/** Serves a customer and leaves, so that the till knows them. */
export async function meet(page: Page, name: string): Promise<void> {
  const dialog = await openCustomer(page, name);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

/** Tops a customer up through the screen, and waits until the till has saved it. */
export async function saveTopUp(page: Page, name: string, points: number): Promise<void> {
  const dialog = await openCustomer(page, name);
  await dialog.getByLabel(counter.amount, { exact: true }).fill(String(points));
  await dialog.getByRole("button", { name: `Add ${points} pts` }).click();
  await expect(dialog.getByText(offlineCounter.saved)).toBeVisible();
  await dialog.getByRole("button", { name: counter.next }).click();
}

/** Keeps top-ups of one point each by the page's own queue, one after the other. Answers their numbers. */
export function keepMany(
  page: Page,
  worker: User,
  { branchId, customers, count }: { branchId: string; customers: Customer[]; count: number },
): Promise<number[]> {
  const given = { workerId: worker.id, branchId, ids: customers.map(({ publicId }) => publicId), count };
  return page.evaluate(async ({ workerId, branchId: branch, ids, count: many }) => {
    const { tillParts } = window as unknown as Scope;
    const device = await tillParts.readDevice();
    if (!device) throw new Error("no device");
    const numbers: number[] = [];
    for (let index = 0; index < many; index++) {
      const customerId = ids[index % ids.length] ?? "";
      const ask = {
        key: crypto.randomUUID(),
        session: "",
        workerId,
        customerId,
        branchId: branch,
        points: 1,
      };
      const answer = await tillParts.keepTopUp(device, { ...ask, tender: "cash" });
      if ("refused" in answer) throw new Error(answer.refused);
      numbers.push(answer.n);
    }
    new BroadcastChannel(tillParts.LINE_CHANNEL).postMessage("changed");
    return numbers;
  }, given);
}

/** How many top-ups wait in this page's browser. */
export async function waitingIn(page: Page): Promise<number> {
  await loadTillParts(page);
  return page.evaluate(async () => {
    const { openStore } = (window as unknown as Scope).tillParts;
    return (await openStore()).count("waiting");
  });
}

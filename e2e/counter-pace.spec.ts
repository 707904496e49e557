import type { Page } from "@playwright/test";
import { setPin } from "@/lib/accounts/pin";
import type { Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { contextOf, makeCustomer, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { expect, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, counter, receipts } = wordsOf("en");
const PINS = ["580314", "470925"] as const;

// What a cashier waits for, in milliseconds, and what no machine may take, however busy: taps, requests and loads of pages
// are counted to the letter, since they do not depend on the machine.
const CHANGE = { goal: 2_000, most: 12_000 };
const TOP_UP = { goal: 3_000, most: 18_000 };

/** A device with a quarter of this machine's speed. */
async function slowDown(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** What the page asks of the server, and how often it is touched, from now on. */
async function watch(page: Page) {
  const asked: string[] = [];
  let loads = 0;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest()) loads++;
    else if (/^\/(?:api|session)\//.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const known = dataset.taps !== undefined;
    dataset.taps = "0";
    if (known) return;
    const count = ({ isTrusted }: Event) => {
      if (isTrusted) dataset.taps = String(Number(dataset.taps) + 1);
    };
    document.addEventListener("pointerup", count, { capture: true });
  });
  return {
    asked,
    loads: () => loads,
    taps: () => page.evaluate(() => Number(document.documentElement.dataset.taps)),
  };
}

async function makeCashier(db: Db, shop: Parameters<typeof makeWorker>[1], at: 0 | 1): Promise<User> {
  const user = await makeWorker(db, shop, { firstName: ["Sara", "Omar"][at], lastName: "Nasser" });
  await setPin(contextOf(db, user), { password: PASSWORD, pin: PINS[at] });
  return user;
}

const tapPin = async (page: Page, pin: string) => {
  for (const digit of pin) await page.getByRole("button", { name: digit, exact: true }).click();
};

function report(what: string, milliseconds: number, { goal, most }: typeof CHANGE): void {
  console.log(
    `${what}: ${(milliseconds / 1000).toFixed(2)} s at a quarter of the speed (goal ${goal / 1000} s)`,
  );
  expect(milliseconds).toBeLessThan(most);
}

test("a change of cashier and a scan that ends with its receipt are quick on a slow till", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Quick Guest" });
  await makeCashier(db, shop, 0);
  await makeCashier(db, shop, 1);
  const till = await pairBrowser(page, db, shop);
  await page.goto("/login/till");
  await page.getByRole("button", { name: "Sara Nasser" }).click();
  await tapPin(page, PINS[0]);
  await expect(page).toHaveURL(/\/employee\/topup$/);
  const bar = page.getByRole("region", { name: atTill.cashier });
  const search = page.getByLabel(counter.search.label, { exact: true });
  const recent = page.getByText(counter.recent.none);
  await expect(recent).toBeVisible();
  await page.waitForLoadState("networkidle");
  await slowDown(page);

  const scan = await watch(page);
  const started = Date.now();
  // A hardware scanner types the code of the card.
  await search.fill(`${process.env.APP_URL}/topup/${customer.publicId}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add 50 points" }).click();
  await dialog.locator("button[type=submit]").click();
  await expect(dialog.getByRole("button", { name: receipts.print })).toBeVisible();
  report("From the scan to the receipt", Date.now() - started, TOP_UP);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await scan.taps()).toBe(2);
  expect(scan.loads()).toBe(0);
  expect(scan.asked).toEqual([
    `GET /api/customer-management/view/${customer.publicId}`,
    "POST /api/top-up-points",
    "GET /api/recent-top-ups",
  ]);
  expect(await db.movement.count({ where: { tillId: till.id, points: 50 } })).toBe(1);
  await dialog.getByRole("button", { name: counter.next }).click();

  const change = await watch(page);
  const tapped = Date.now();
  await bar.getByRole("button", { name: atTill.change }).click();
  await page.getByRole("button", { name: "Omar Nasser" }).click();
  await tapPin(page, PINS[1]);
  const typed = Date.now();
  await expect(bar).toContainText("Omar Nasser");
  await expect(search).toBeEditable();
  report("Change of cashier, from the last digit", Date.now() - typed, CHANGE);
  report("Change of cashier, with eight taps", Date.now() - tapped, CHANGE);
  await expect(recent).toBeVisible();
  expect(await change.taps()).toBe(8);
  expect(change.loads()).toBe(0);
  expect([...new Set(change.asked)].sort()).toEqual([
    "GET /api/recent-top-ups",
    "GET /api/tills/me",
    "POST /api/auth/logout",
    "POST /session/pin",
  ]);
  // The list and the till are asked for once more where the parts of the till come after the first question.
  expect(change.asked.length).toBeLessThanOrEqual(6);
});

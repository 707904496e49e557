import type { Page } from "@playwright/test";
import { makeCustomer } from "@/lib/testing/factories";
import { barOf, enter, lockOf, makeCashiers } from "./support/cashiers";
import { openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";
import {
  loadTillParts,
  meet,
  openCustomer,
  pairBrowser,
  type Scope,
  saveTopUp,
  sendsFromPagesOnly,
  waitingIn,
} from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, counter, offlineCounter } = wordsOf("en");
/** The till asks who is there, as it does after its idle minutes. */
async function leaveAlone(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem("till.touched", "1"));
  await page.clock.fastForward(6_000);
}

/** Leaves the till alone until it asks who is there: what it learns of itself after a page's load counts as a touch. */
async function waitForLock(page: Page): Promise<void> {
  await expect(async () => {
    await leaveAlone(page);
    await expect(lockOf(page)).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

test.beforeEach(async ({ page, db, shop }) => {
  await makeCashiers(db, shop);
  await makeCustomer(db, shop, { fullName: "Lock Guest" });
  await page.clock.install();
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await page.goto("/login/till");
  await enter(page, "Sara Nasser");
  await expect(page).toHaveURL(/\/employee\/topup$/);
  await expect(barOf(page)).toContainText("Sara Nasser");
});

test("whoever takes over a till comes after one end of the session before: answered late, once, without storage, by a clock that is set back", async ({
  page,
}) => {
  await test.step("an end of the session that is answered late locks nobody out who signed in after it", async () => {
    const order: string[] = [];
    let answer = () => {};
    let held = Promise.resolve();
    const hold = () => {
      held = new Promise((resolve) => {
        answer = resolve;
      });
    };
    await page.route("**/api/auth/logout", async (route) => {
      order.push("end");
      await held;
      order.push("answered");
      await route.continue();
    });
    await page.route("**/session/pin", async (route) => {
      order.push("pin");
      await route.continue();
    });

    // A PIN that is typed while the session before still ends waits for its end.
    hold();
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await enter(page, "Omar Nasser");
    await expect(lockOf(page).locator("[aria-busy=true]")).toBeVisible();
    await expect.poll(() => order).toEqual(["end"]);
    answer();
    await expect(barOf(page)).toContainText("Omar Nasser");
    expect(await page.evaluate(() => localStorage.getItem("till.cashier"))).toContain("Omar Nasser");
    expect(order).toEqual(["end", "answered", "pin"]);
    await page.unrouteAll();
  });

  await test.step("a till that asks who is there has ended its session once, however long nobody comes", async () => {
    let ends = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/auth/logout")) ends++;
    });
    await waitForLock(page);
    for (let n = 0; n < 3; n++) await leaveAlone(page);
    // A PIN waits for whatever ends a session.
    await enter(page, "Sara Nasser");
    await expect(barOf(page)).toContainText("Sara Nasser");
    expect(ends).toBe(1);
  });

  await test.step("a till that cannot remove what it kept asks who is there all the same", async () => {
    await page.evaluate(() => {
      CacheStorage.prototype.keys = () => Promise.reject(new Error("no storage"));
    });
    await waitForLock(page);
    await enter(page, "Omar Nasser");
    await expect(barOf(page)).toContainText("Omar Nasser");
  });

  await test.step("a clock that is set back neither keeps the till open nor hides that somebody touches it", async () => {
    let hours = 2;
    const setBack = () => page.clock.setSystemTime(Date.now() - hours++ * 60 * 60_000);
    await setBack();
    await page.keyboard.press("Shift");
    const isAhead = () => Number(localStorage.getItem("till.touched")) > Date.now();
    expect(await page.evaluate(isAhead)).toBe(false);
    await expect(async () => {
      await setBack();
      await page.clock.fastForward(6_000);
      await expect(lockOf(page)).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
  });
});

test("on a till that was retired meanwhile, a change of cashier ends the session all the same", async ({
  page,
  db,
  shop,
}) => {
  const open = () => db.session.count({ where: { revokedAt: null, user: { merchantId: shop.merchant.id } } });
  const retire = (retiredAt: Date | null) =>
    db.till.updateMany({ where: { merchantId: shop.merchant.id }, data: { retiredAt } });
  const change = () => barOf(page).getByRole("button", { name: atTill.change }).click();
  // The till has heard of itself: it would else hear now that it is retired, and ask who is there before the change.
  await page.waitForLoadState("networkidle");
  await retire(new Date());
  await change();
  await expect.poll(open).toBe(0);
  // The lock of the counter says it too. The cookie is gone once the login page stands.
  await expect(page).toHaveURL(/\/login\/till$/);
  await expect(page.getByText(atTill.retiredTitle)).toBeVisible();

  await retire(null);
  await page.reload();
  await expect(lockOf(page).or(page.getByRole("heading", { name: atTill.title }))).toBeVisible();
  // The page shows the faces that it knows before the server answers, and only the answer makes the browser a till again.
  await expect.poll(() => page.evaluate(() => localStorage.getItem("till"))).toBe("paired");
  await signIn(db, page, shop.worker);
  await openSettled(page, "/employee/topup");
  await expect(barOf(page)).toContainText(shop.worker.lastName);
  expect(await open()).toBe(1);
  await retire(new Date());
  await change();
  await expect.poll(open).toBe(0);
  await expect(page.getByText(atTill.retiredTitle)).toBeVisible();
  await expect(page).toHaveURL(/\/login\/till$/);
});

test("another cashier begins with an empty page, and what was sent without an answer stays its sender's; without a connection nobody changes, and the key cannot be given away", async ({
  page,
  context,
  db,
  shop,
}) => {
  await test.step("without a connection the lock does not fall, the name stays and a change waits; the key cannot be given away", async () => {
    const typed = await openCustomer(page, "Lock Guest");
    await typed.getByLabel(counter.amount, { exact: true }).fill("61");
    await context.setOffline(true);
    await leaveAlone(page);
    await leaveAlone(page);
    await expect(typed.getByLabel(counter.amount, { exact: true })).toHaveValue("61");
    await expect(lockOf(page)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(barOf(page)).toContainText("Sara Nasser");
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await expect(page.getByText(atTill.changeLost)).toBeVisible();
    await expect(barOf(page)).toContainText("Sara Nasser");
    await context.setOffline(false);
    await waitForLock(page);

    await loadTillParts(page);
    const given = await page.evaluate(async () => {
      const device = await (window as unknown as Scope).tillParts.readDevice();
      const key = device?.keys.privateKey;
      if (!key) throw new Error("no key");
      return crypto.subtle.exportKey("jwk", key).then(
        () => "given away",
        ({ name }: Error) => name,
      );
    });
    expect(given).toBe("InvalidAccessError");
  });

  await test.step("another cashier begins with an empty page, and what was sent without an answer stays its sender's", async () => {
    await enter(page, "Sara Nasser");
    await expect(barOf(page)).toContainText("Sara Nasser");
    const typed = await openCustomer(page, "Lock Guest");
    await typed.getByLabel(counter.amount, { exact: true }).fill("61");
    await waitForLock(page);
    await enter(page, "Omar Nasser");
    await expect(barOf(page)).toContainText("Omar Nasser");
    await expect(page.getByRole("dialog")).toHaveCount(0);

    // The server fails after it has posted: only the same request may be repeated, and by nobody else.
    await page.route("**/api/top-up-points", async (route) => {
      await route.fetch();
      await route.fulfill({ status: 500, json: { status: 500, message: "Broken", data: null } });
    });
    const sent = await openCustomer(page, "Lock Guest");
    await sent.getByLabel(counter.amount, { exact: true }).fill("62");
    await sent.getByRole("button", { name: "Add 62 pts" }).click();
    await expect(sent.getByText(counter.unsure)).toBeVisible();
    await page.unroute("**/api/top-up-points");
    await waitForLock(page);
    await enter(page, "Sara Nasser");
    await expect(barOf(page)).toContainText("Sara Nasser");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await enter(page, "Omar Nasser");
    await expect(sent.getByText(counter.unsure)).toBeVisible();
    await sent.getByRole("button", { name: counter.tryAgain }).click();
    await expect(sent.getByRole("button", { name: counter.next })).toBeVisible();
    const rows = await db.movement.findMany({ where: { merchantId: shop.merchant.id } });
    expect(rows.map(({ points }) => points)).toEqual([62]);
  });
});

test("what waits is sent before the till asks who is there; what a cashier kept is posted for a colleague who sends it", async ({
  page,
  context,
  db,
  shop,
}) => {
  await test.step("it is sent by the session that kept it", async () => {
    await meet(page, "Lock Guest");
    await context.setOffline(true);
    await saveTopUp(page, "Lock Guest", 63);
    // Nobody touches the till when the line is back, and what it sends does not get through at once.
    let tries = 0;
    // Of the page or of its service worker: the browser chooses who sends first.
    await context.route("**/api/tills/sync", (route) => (++tries > 2 ? route.continue() : route.abort()));
    await page.evaluate(() => localStorage.setItem("till.touched", "1"));
    await context.setOffline(false);
    await expect(async () => {
      await page.clock.fastForward(6_000);
      await expect(lockOf(page)).toBeVisible({ timeout: 2_000 });
    }).toPass();
    expect(tries).toBeGreaterThan(2);
    expect(await waitingIn(page)).toBe(0);
    const rows = await db.movement.findMany({ where: { merchantId: shop.merchant.id } });
    expect(rows.map(({ points }) => points)).toEqual([63]);
    await context.unroute("**/api/tills/sync");
  });

  await test.step("it is posted by the session's key, which no script reads and which goes with the session", async () => {
    const readKey = async () => {
      await loadTillParts(page);
      return page.evaluate(async () => {
        const { openStore } = (window as unknown as Scope).tillParts;
        const key = (await (await openStore()).get("cashier", "key"))?.key;
        return key
          ? crypto.subtle.exportKey("raw", key).then(
              () => "given away",
              ({ name }: Error) => name,
            )
          : "none";
      });
    };
    await enter(page, "Sara Nasser");
    await expect(barOf(page)).toContainText("Sara Nasser");
    await meet(page, "Lock Guest");
    await context.setOffline(true);
    await saveTopUp(page, "Lock Guest", 64);
    expect(await readKey()).toBe("InvalidAccessError");
    // The owner ends the session before the line is back.
    await db.session.updateMany({
      where: { till: { merchantId: shop.merchant.id } },
      data: { revokedAt: new Date() },
    });
    await context.setOffline(false);
    await expect(page.getByText(offlineCounter.signedOut)).toBeVisible();
    await expect.poll(readKey).toBe("none");
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await expect(lockOf(page)).toBeVisible();
    await enter(page, "Omar Nasser");
    await expect(barOf(page)).toContainText("Omar Nasser");
    await expect.poll(() => waitingIn(page)).toBe(0);
    const rows = await db.movement.findMany({
      where: { merchantId: shop.merchant.id, points: { not: 63 } },
      select: { points: true, actor: { select: { firstName: true } } },
    });
    expect(rows).toEqual([{ points: 64, actor: { firstName: "Sara" } }]);
    expect(await readKey()).toBe("InvalidAccessError");
  });
});

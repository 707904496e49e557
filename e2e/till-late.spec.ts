import type { Page } from "@playwright/test";
import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { makeCustomer } from "@/lib/testing/factories";
import { TILL_PAGES } from "@/lib/tills/model/offline-counter";
import { barOf, enter, lockOf, makeCashiers } from "./support/cashiers";
import { test } from "./support/slow-line";
import { expect } from "./support/test";
import { openCustomer, pairBrowser, sendsFromPagesOnly } from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, counter, shiftDesk } = wordsOf("en");

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE)?.value;

test.beforeEach(async ({ page, db, shop }) => {
  await makeCashiers(db, shop);
  await page.clock.install();
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
});

test("what the service worker asked for in the ended session signs nobody out who came after it", async ({
  page,
  line,
  db,
  shop,
}) => {
  const pages = line.hold(
    "request",
    (path, headers) => TILL_PAGES.some((one) => one === path) && headers["sec-fetch-dest"] === "empty",
  );
  const ends = line.hold("answer", (path) => path.startsWith("/session/ended"));
  await page.goto("/login/till");
  await enter(page, "Sara Nasser");
  await expect(barOf(page)).toContainText("Sara Nasser");
  await expect.poll(pages.count, { timeout: 90_000 }).toBe(TILL_PAGES.length);

  const ended = page.waitForResponse("**/api/auth/logout");
  await barOf(page).getByRole("button", { name: atTill.change }).click();
  await ended;
  await expect(lockOf(page)).toBeVisible();
  await pages.release();
  // Whatever the worker asks for next is on its way.
  await page.evaluate(() => fetch("/icon.svg", { cache: "no-store" }).then(({ ok }) => ok));
  await enter(page, "Omar Nasser");
  await expect(barOf(page)).toContainText("Omar Nasser");
  const omars = await cookieOf(page);
  await ends.release();

  await page.goto("/employee/topup");
  await expect(barOf(page)).toContainText("Omar Nasser");
  expect(await cookieOf(page)).toBe(omars);

  // A tab itself leaves its ended session, cookie and all, also where the worker asks for its page.
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await db.session.updateMany({
    where: { user: { merchantId: shop.merchant.id } },
    data: { revokedAt: new Date() },
  });
  // The server hears within a second that a session which it remembers has ended.
  await expect(async () => {
    await page.goto("/employee/topup");
    await expect(page).toHaveURL(/\/login\/till/, { timeout: 2_000 });
  }).toPass();
  expect(await cookieOf(page)).toBeUndefined();
});

test("what a cashier sent and is answered late, a top-up or a form, posts nothing in another's name, locks nobody out and loses nothing", async ({
  page,
  line,
  db,
  shop,
}) => {
  await test.step("what a cashier had sent and is answered late posts nothing in another's name, and locks nobody out", async () => {
    await makeCustomer(db, shop, { fullName: "Late Guest" });
    const sent = line.hold("request", (path) => path === "/api/top-up-points");
    await page.goto("/login/till");
    await enter(page, "Sara Nasser");
    const sheet = await openCustomer(page, "Late Guest");
    await sheet.getByLabel(counter.amount, { exact: true }).fill("40");
    await sheet.getByRole("button", { name: "Add 40 pts" }).click();
    await expect.poll(sent.count).toBe(1);
    // The sheet covers the button that changes the cashier: the till asks by itself.
    await expect(async () => {
      await page.evaluate(() => localStorage.setItem("till.touched", "1"));
      await page.clock.fastForward(6_000);
      await expect(lockOf(page)).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await enter(page, "Omar Nasser");
    await expect(barOf(page)).toContainText("Omar Nasser");
    const answer = page.waitForResponse("**/api/top-up-points");
    await sent.release();
    expect((await answer).status()).toBe(417);

    const own = await openCustomer(page, "Late Guest");
    await own.getByLabel(counter.amount, { exact: true }).fill("25");
    await own.getByRole("button", { name: "Add 25 pts" }).click();
    await own.getByRole("button", { name: counter.next }).click();
    await expect(barOf(page)).toContainText("Omar Nasser");
    const omar = await db.user.findFirstOrThrow({
      where: { merchantId: shop.merchant.id, firstName: "Omar" },
    });
    const rows = await db.movement.findMany({ where: { merchantId: shop.merchant.id } });
    expect(rows.map(({ points, actorId }) => [points, actorId])).toEqual([[25, omar.id]]);
  });

  await test.step("a form of the till that is answered late locks nobody out, and nothing typed since is lost", async () => {
    const sent = line.hold("request", (path) => path === "/api/shifts");
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await enter(page, "Sara Nasser");
    // Her own top-up waits for her, under its key.
    await expect(page.getByRole("dialog").getByRole("button", { name: counter.tryAgain })).toBeVisible();
    await page.goto("/employee/shift");
    await expect(barOf(page)).toContainText("Sara Nasser");
    const float = page.getByLabel(shiftDesk.float);
    await float.fill("200");
    await page.getByRole("button", { name: shiftDesk.open }).click();
    await expect.poll(sent.count).toBe(1);
    await barOf(page).getByRole("button", { name: atTill.change }).click();
    await enter(page, "Omar Nasser");
    await expect(barOf(page)).toContainText("Omar Nasser");
    await float.fill("300");
    const answer = page.waitForResponse("**/api/shifts");
    await sent.release();
    expect((await answer).status()).toBe(417);
    await page.getByRole("button", { name: shiftDesk.open }).click();
    await expect(page.getByRole("button", { name: shiftDesk.count })).toBeVisible();
    await expect(barOf(page)).toContainText("Omar Nasser");
    expect(await db.shift.findMany({ where: { merchantId: shop.merchant.id } })).toMatchObject([
      { float: 30_000 },
    ]);
  });
});

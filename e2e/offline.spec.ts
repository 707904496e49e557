import type { Locator } from "@playwright/test";
import { translator } from "@/lib/i18n/translate";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { retireTill } from "@/lib/tills/tills";
import { expect, signIn, test } from "./support/test";
import {
  loadTillParts,
  meet,
  openCustomer,
  openTillCounter,
  pairBrowser,
  type Scope,
  saveTopUp,
  sendsFromPagesOnly,
  waitingIn,
} from "./support/till";
import { wordsOf } from "./support/words";

const { counter, noConnection, offline, offlineCounter: words } = wordsOf("en");
const toOwner = (count: number) => translator("en")("offlineCounter.toOwner", { count });

test("a paired till opens and tops up without a connection; what it saved does not look posted, is sent once, and says what became of it", async ({
  page,
  context,
  shop,
  db,
}) => {
  await test.step("a paired till opens and tops up without a connection, and sends it once when the line returns", async () => {
    const known = await makeCustomer(db, shop, { fullName: "Known Guest" });
    const stranger = await makeCustomer(db, shop, { fullName: "Stranger Guest" });
    const till = await pairBrowser(page, db, shop);
    await openTillCounter(page, db, shop.worker);
    await meet(page, "Known Guest");
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(words.down)).toBeVisible();
    const start = new Date();
    await saveTopUp(page, "Known Guest", 50);
    await saveTopUp(page, "Known Guest", 25);
    const banner = page.locator("[data-slot=offline]");
    await expect(banner).toContainText("2 top-ups are waiting to be sent");
    await expect((await openCustomer(page, "Known Guest")).getByText("75 pts").first()).toBeVisible();
    await page.keyboard.press("Escape");

    // Above the limit of one, and of all that may wait.
    const dialog = await openCustomer(page, "Known Guest");
    await dialog.getByLabel(counter.amount, { exact: true }).fill("201");
    await expect(dialog.getByRole("button", { name: counter.addCash })).toBeDisabled();
    await expect(dialog.getByText(words.refused.aboveOne.replace("{limit}", "200 pts"))).toBeVisible();
    // The till stores no contact details, so the customer must not look as if there were none.
    await expect(dialog.getByText(counter.noEmail)).toHaveCount(0);
    await page.keyboard.press("Escape");
    // Never met here.
    await page.getByLabel(counter.search.label, { exact: true }).fill(stranger.publicId);
    await expect(page.getByText(words.refused.unknown)).toBeVisible();

    await page.goto("/employee/redeem");
    await expect(banner).toContainText(words.redeem);
    const redeem = await openCustomer(page, "Known Guest");
    await redeem.getByLabel(counter.amount, { exact: true }).fill("10");
    await redeem.getByRole("button", { name: "Redeem 10 pts" }).click();
    await expect(redeem.getByText(words.redeem)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.goto("/employee/dashboard");
    await page.getByRole("link", { name: noConnection.pageLink }).click();
    await expect(banner).toContainText("2 top-ups are waiting to be sent");
    expect(await db.movement.count({ where: { customerId: known.id } })).toBe(0);

    await context.setOffline(false);
    await expect(banner).toBeHidden();
    const rows = await db.movement.findMany({ where: { customerId: known.id }, orderBy: { seq: "asc" } });
    expect(rows.map(({ points, tillId, actorId }) => [points, tillId, actorId])).toEqual([
      [50, till.id, shop.worker.id],
      [25, till.id, shop.worker.id],
    ]);
    expect(rows[0]?.occurredAt.getTime()).toBeGreaterThan(start.getTime() - 1000);
    await expect((await openCustomer(page, "Known Guest")).getByText("75 pts").first()).toBeVisible();
  });

  await test.step("a saved top-up does not look posted, and says what became of it once it was sent", async () => {
    const guest = await makeCustomer(db, shop, { fullName: "Waiting Guest" });
    await sendsFromPagesOnly(page);
    await page.goto("/employee/topup");
    const save = async (points: number) => {
      const dialog = await openCustomer(page, "Waiting Guest");
      await dialog.getByLabel(counter.amount, { exact: true }).fill(String(points));
      await dialog.getByRole("button", { name: `Add ${points} pts` }).click();
      await expect(dialog.getByText(words.saved)).toBeVisible();
      await expect(dialog.getByText(words.savedText)).toBeVisible();
      await expect(dialog.locator(".lucide-check")).toHaveCount(0);
      await expect(dialog.getByText(`Collect QAR ${points}.00`)).toBeVisible();
      return dialog;
    };
    await meet(page, "Waiting Guest");
    await context.setOffline(true);
    const posted = await save(50);
    await context.setOffline(false);
    await expect(posted.getByText("Successfully added 50 Cash to customer's account!")).toBeVisible();
    await expect(posted.getByText(words.saved)).toHaveCount(0);
    await expect(posted.getByText(words.savedText)).toHaveCount(0);
    await expect(posted.locator(".lucide-check")).toHaveCount(1);
    await expect(posted.getByText(counter.newBalance)).toBeVisible();
    await posted.getByRole("button", { name: counter.next }).click();

    await context.setOffline(true);
    const missed = await save(20);
    await db.customer.update({ where: { id: guest.id }, data: { status: "blocked" } });
    await context.setOffline(false);
    await expect(missed.getByText(words.missedInbox)).toBeVisible();
    await expect(missed.getByText(words.saved)).toHaveCount(0);
  });
});

test("what was sent without an answer is posted once, and a changed entry refused; sign-out forgets the pages and the customers of the till, not what waits", async ({
  page,
  context,
  shop,
  db,
}) => {
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await test.step("what was sent without an answer is kept under the same key and posted once; a changed entry is refused", async () => {
    const customer = await makeCustomer(db, shop, { fullName: "Half Sent" });
    // The server posts it, and the line drops before the answer.
    await page.route("**/api/top-up-points", async (route) => {
      await route.fetch();
      await context.setOffline(true);
      await route.abort();
    });
    await saveTopUp(page, "Half Sent", 30);
    await page.unroute("**/api/top-up-points");
    await saveTopUp(page, "Half Sent", 40);
    await loadTillParts(page);
    // Under the lock of who sends: an attempt that has read the entry before would send it as it was.
    await page.evaluate(() =>
      navigator.locks.request("till-send", async () => {
        const db = await (window as unknown as Scope).tillParts.openStore();
        const second = (await db.getAll("waiting")).at(-1);
        if (second) await db.put("waiting", { ...second, entry: { ...second.entry, sPoints: 4000 } });
      }),
    );
    await context.setOffline(false);
    const banner = page.locator("[data-slot=offline]");
    await expect(banner).toContainText("1 top-up was not accepted");
    await banner.getByRole("button", { name: words.show }).click();
    await expect(page.getByRole("dialog").getByText(words.listRefused)).toBeVisible();
    expect(await waitingIn(page)).toBe(0);
    const { balance, movementCount } = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
    expect([balance, movementCount]).toEqual([30, 1]);
  });

  await test.step("sign-out forgets the pages and the customers of the till, not what waits", async () => {
    await makeCustomer(db, shop, { fullName: "Left Behind" });
    await page.reload();
    await meet(page, "Left Behind");
    // The server is out of reach for what the counter and its service worker send, so that something waits.
    await context.route(/\/api\/(?:tills|top-up-points|health)/, (route) => route.abort());
    await saveTopUp(page, "Left Behind", 10);
    await page.getByRole("button", { name: wordsOf("en").shell.openMenu }).click();
    await page
      .getByRole("button", { name: wordsOf("en").shell.signOut })
      .first()
      .click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: wordsOf("en").shell.signOut })
      .click();
    await expect(page).toHaveURL(/\/login/);
    await loadTillParts(page);
    const left = await page.evaluate(async () => {
      const store = await (window as unknown as Scope).tillParts.openStore();
      const names = (await caches.keys()).filter((name) => name.startsWith("till-pages"));
      return [
        names,
        await store.count("customers"),
        await store.count("cashier"),
        await store.count("waiting"),
      ];
    });
    expect(left).toEqual([[], 0, 0, 1]);
    await context.unrouteAll();
    await context.setOffline(true);
    await page.goto("/employee/topup");
    await expect(page.getByRole("heading", { name: noConnection.pageTitle })).toBeVisible();
    await context.setOffline(false);
  });
});

test("a blocked card, a full one and a retired till go to the owner, who resolves them", async ({
  page,
  context,
  browser,
  baseURL,
  shop,
  db,
}) => {
  const blocked = await makeCustomer(db, shop, { fullName: "Blocked Guest" });
  const full = await makeCustomer(db, shop, { fullName: "Full Guest" });
  await sendsFromPagesOnly(page);
  const till = await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  for (const name of ["Blocked Guest", "Full Guest"]) await meet(page, name);
  await context.setOffline(true);
  await saveTopUp(page, "Blocked Guest", 20);
  await saveTopUp(page, "Full Guest", 30);
  await db.customer.update({ where: { id: blocked.id }, data: { status: "blocked" } });
  const owner = contextOf(db, shop.owner);
  for (let held = 0; held < 20_000; held += 5_000)
    await topUp(owner, { customerId: full.id, points: 5_000, branchId: shop.branch.id, tender: "cash" });
  await context.setOffline(false);
  const banner = page.locator("[data-slot=offline]");
  await expect(banner).toContainText(toOwner(2));
  await banner.getByRole("button", { name: words.show }).click();
  await page.getByRole("dialog").getByRole("button", { name: words.read }).click();
  await expect(banner).toBeHidden();

  await context.setOffline(true);
  await saveTopUp(page, "Full Guest", 40);
  await retireTill(owner, { id: till.id });
  await context.setOffline(false);
  await expect(banner).toContainText(toOwner(1));
  const inbox = await db.offlineEntry.findMany({ where: { tillId: till.id }, orderBy: { n: "asc" } });
  expect(inbox.map(({ n, code }) => [n, code])).toEqual([
    [1, "customer_blocked"],
    [2, "balance_limit"],
    [3, "till_retired"],
  ]);
  await db.customer.update({ where: { id: blocked.id }, data: { status: "active" } });
  const office = await browser.newContext({ baseURL });
  const desk = await office.newPage();
  await signIn(db, desk, shop.owner);
  await desk.goto("/merchant/offline");
  const asked = desk.getByRole("dialog");
  const entry = (name: string, points: number) =>
    desk
      .getByRole("listitem")
      .filter({ hasText: name })
      .filter({ hasText: `${points} pts` });
  const decide = async (of: Locator, action: keyof typeof offline.resolutions, card?: string) => {
    if (!(await asked.isVisible())) await of.getByRole("button", { name: offline.resolve }).click();
    await asked.getByLabel(offline.action).click();
    await desk.getByRole("option", { name: offline.resolutions[action], exact: true }).click();
    if (card) await asked.getByLabel(offline.moveTo).fill(card);
    else await expect(asked.getByLabel(offline.moveTo)).toHaveCount(0);
    await asked.getByLabel(offline.because).fill("Paid at the counter");
    await asked.getByRole("button", { name: offline.save }).click();
  };
  await decide(entry("Blocked Guest", 20), "post");
  // Behind the dialog nothing has a role.
  await expect(asked).toBeHidden();
  await expect(entry("Blocked Guest", 20)).toBeHidden();
  const held = async ({ id }: { id: string }) =>
    (await db.customer.findUniqueOrThrow({ where: { id } })).balance;
  await expect.poll(() => held(blocked)).toBe(20);
  // A full card stays full: nothing passes over its limit.
  await decide(entry("Full Guest", 30), "post");
  await expect(asked.getByRole("alert")).toBeVisible();
  await decide(entry("Full Guest", 30), "move", blocked.publicId);
  await expect(asked).toBeHidden();
  await expect(entry("Full Guest", 30)).toBeHidden();
  await decide(entry("Full Guest", 40), "write_off");
  await expect(desk.getByText(offline.none)).toBeVisible();
  expect([await held(blocked), await held(full)]).toEqual([50, 20_000]);
  await desk.goto("/merchant/offline?state=resolved");
  await expect(entry("Full Guest", 40)).toContainText(offline.resolved.write_off);
  await office.close();
});

import { readFileSync } from "node:fs";
import { setPin } from "@/lib/accounts/pin";
import { translator } from "@/lib/i18n/translate";
import { contextOf, makeAdmin, makeCustomer, PASSWORD } from "@/lib/testing/factories";
import { newTillKey } from "@/lib/testing/tills";
import { pairTill } from "@/lib/tills/pair-till";
import { updateTill } from "@/lib/tills/tills";
import { openSettled } from "./support/settled";
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

const { atTill, counter, movements, offline, offlineCounter: words, shiftDesk } = wordsOf("en");
const toOwner = (count: number) => translator("en")("offlineCounter.toOwner", { count });
const PIN = "580314";

test("what a device kept before another took its place says so, and goes to the owner once somebody signs in there", async ({
  page,
  context,
  browser,
  baseURL,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Old Device Guest" });
  await sendsFromPagesOnly(page);
  const till = await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, "Old Device Guest");
  await context.setOffline(true);
  for (const points of [20, 30]) await saveTopUp(page, "Old Device Guest", points);

  const owner = contextOf(db, shop.owner);
  const made = await updateTill(owner, { id: till.id, newCode: true });
  if (!("pairingCode" in made)) throw new Error("no code");
  const { jwk } = await newTillKey();
  const stranger = { ...owner, actor: null, address: "198.51.100.7" };
  const { x = "", y = "" } = jwk;
  await pairTill(stranger, { pairingCode: made.pairingCode, publicKey: { kty: "EC", crv: "P-256", x, y } });

  // Signed out on the server as well: a page that is left may still get a request through.
  await db.session.updateMany({ where: { userId: shop.worker.id }, data: { revokedAt: new Date() } });
  await page.goto("about:blank");
  await context.clearCookies();
  await context.setOffline(false);
  await page.goto("/login/till");
  await expect(page.getByText(atTill.retiredTitle)).toBeVisible();
  await expect(page.getByText(atTill.stillSaved)).toBeVisible();
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const banner = page.locator("[data-slot=offline]");
  await expect(banner).toContainText(toOwner(2));
  expect(await waitingIn(page)).toBe(0);
  expect(await db.movement.count({ where: { tillId: till.id } })).toBe(0);

  const office = await browser.newContext({ baseURL });
  const desk = await office.newPage();
  await signIn(db, desk, shop.owner);
  await desk.goto("/merchant/offline");
  await expect(desk.getByRole("listitem").filter({ hasText: "Old Device Guest" })).toHaveCount(2);
  await expect(desk.getByText(offline.why.till_replaced).first()).toBeVisible();
  await office.close();
});

test("what no server takes any more is given to the owner as a file", async ({ page, context, shop, db }) => {
  const name = "Abdulrahman Mohammed Al-Thani Al-Kuwari";
  await makeCustomer(db, shop, { fullName: name });
  await sendsFromPagesOnly(page);
  const till = await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, name);
  await context.setOffline(true);
  await saveTopUp(page, name, 45);
  const long = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  await db.till.update({ where: { id: till.id }, data: { retiredAt: long } });
  await context.setOffline(false);
  const banner = page.locator("[data-slot=offline]");
  await expect(banner).toContainText(words.unpaired);
  await banner.getByRole("button", { name: words.show }).click();
  // Where a name is longer than a phone is wide, the amounts stay in the list.
  await page.setViewportSize({ width: 360, height: 780 });
  const list = page.getByRole("dialog");
  await expect(list.getByText("45 pts")).toBeInViewport({ ratio: 0.99 });
  expect(await list.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  const saving = page.waitForEvent("download");
  await list.getByRole("button", { name: words.saveFile }).click();
  const text = readFileSync(await (await saving).path(), "utf8");
  expect(text).toMatch(new RegExp(`1 · .+ · ${name} · 45 pts · cash`));
  expect(text).toContain('"sSig":"');
  expect(await waitingIn(page)).toBe(1);
});

test("the owner's file has the proof of an entry that the server refused, beside one of an older build without it", async ({
  page,
  context,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Refused Guest" });
  await sendsFromPagesOnly(page);
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  await meet(page, "Refused Guest");
  await context.setOffline(true);
  await saveTopUp(page, "Refused Guest", 40);
  await loadTillParts(page);
  // Under the lock of who sends: an attempt that has read the entry before would send it as it was.
  await page.evaluate(() =>
    navigator.locks.request("till-send", async () => {
      const store = await (window as unknown as Scope).tillParts.openStore();
      const [entry] = await store.getAll("waiting");
      if (entry) await store.put("waiting", { ...entry, entry: { ...entry.entry, sPoints: 4000 } });
      const shown = { customerName: "Older Guest", points: 7, occurredAt: new Date().toISOString() };
      const of = { key: "older", n: 0, outcome: "refused", unread: 1 } as const;
      await store.put("settled", { ...of, code: "signature_invalid", at: Date.now(), shown });
    }),
  );
  await context.setOffline(false);
  const banner = page.locator("[data-slot=offline]");
  await expect(banner).toContainText("2 top-ups were not accepted");
  await banner.getByRole("button", { name: words.show }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: words.saveFile }).click();
  const text = readFileSync(await (await saving).path(), "utf8");
  expect(text).toContain("Older Guest · 7 pts · signature_invalid · older");
  const proofs = text.split("\r\n").filter((line) => line.startsWith("{"));
  expect(proofs.map((line) => JSON.parse(line) as object)).toMatchObject([
    { n: 1, sPoints: 4000, sSig: expect.any(String) },
  ]);
});

test("without a connection the recent list shows what waits and what was known, and comes back by itself", async ({
  page,
  context,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Listed Guest" });
  await pairBrowser(page, db, shop);
  await openTillCounter(page, db, shop.worker);
  const list = page.locator("section", { has: page.getByRole("heading", { name: counter.recent.topup }) });
  const dialog = await openCustomer(page, "Listed Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("15");
  await dialog.getByRole("button", { name: "Add 15 pts" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await context.setOffline(true);
  await expect(list.getByRole("status")).toContainText(words.recent.asOf.split("{")[0] ?? "");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await saveTopUp(page, "Listed Guest", 25);
  // As after a reload: what is known is on the device.
  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  const [waits, known] = [list.getByRole("listitem").first(), list.getByRole("listitem").last()];
  await expect(waits).toContainText("+25");
  await expect(waits).toContainText(counter.recent.kept);
  await expect(known).toContainText("+15");
  await expect(list.getByText(counter.recent.failed)).toHaveCount(0);
  await page.getByRole("button", { name: counter.recent.tabs.redeem }).click();
  const redeems = page.locator("section", {
    has: page.getByRole("heading", { name: counter.recent.redeem }),
  });
  await expect(redeems.getByRole("status")).toContainText(words.recent.nothing);
  await page.getByRole("button", { name: counter.recent.tabs.topup }).click();
  await context.setOffline(false);
  await expect(list.getByRole("status")).toHaveCount(0);
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByText(counter.recent.kept)).toHaveCount(0);
});

test("after a password, Change cashier keeps what was typed for the same cashier, and gives another an empty page", async ({
  page,
  shop,
  db,
}) => {
  await db.user.update({ where: { id: shop.worker.id }, data: { firstName: "Sara", lastName: "Ahmed" } });
  await setPin(contextOf(db, shop.worker), { password: PASSWORD, pin: PIN });
  await makeCustomer(db, shop, { fullName: "Typed Guest" });
  await page.clock.install();
  await pairBrowser(page, db, shop);
  const bar = page.getByRole("region", { name: atTill.cashier });
  const change = async () => {
    await bar.getByRole("button", { name: atTill.change }).click();
    await page.getByRole("button", { name: "Sara Ahmed" }).click();
    await page.keyboard.type(PIN);
  };
  await signIn(db, page, shop.worker);
  await page.goto("/employee/shift");
  await page.getByLabel(shiftDesk.float).fill("123.50");
  // The page is loaded anew; the one before shows the same value until then.
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await change();
  await page.waitForFunction(() => !("isOld" in window));
  await expect(page.getByLabel(shiftDesk.float)).toHaveValue("123.50");
  await expect(bar).toContainText("Sara Ahmed");
  await page.reload();
  await expect(page.getByLabel(shiftDesk.float)).toHaveValue("");

  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const dialog = await openCustomer(page, "Typed Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("37");
  const card = dialog.getByRole("button", { name: movements.tenders.card, exact: true });
  await card.click();
  // The sheet covers the button: the till asks by itself, as after its idle minutes.
  await page.evaluate(() => localStorage.setItem("till.touched", "1"));
  await page.clock.fastForward(6_000);
  const asked = page.getByRole("dialog").filter({ hasText: atTill.title });
  await expect(asked).toBeVisible();
  await page.getByRole("button", { name: "Sara Ahmed" }).click();
  await page.keyboard.type(PIN);
  await expect(dialog.getByText("Typed Guest")).toBeVisible();
  await expect(dialog.getByLabel(counter.amount, { exact: true })).toHaveValue("37");
  await expect(card).toHaveAttribute("aria-pressed", "true");
  // The server fails after it has posted, and the page is loaded again: only the same request may be repeated.
  await page.route("**/api/top-up-points", async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, json: { status: 500, message: "Broken", data: null } });
  });
  await dialog.getByRole("button", { name: "Add 37 pts" }).click();
  await expect(dialog.getByText(counter.unsure)).toBeVisible();
  await page.unroute("**/api/top-up-points");
  await page.reload();
  await dialog.getByRole("button", { name: counter.tryAgain }).click();
  await expect(dialog.getByRole("button", { name: counter.next })).toBeVisible();
  const posted = await db.movement.findMany({ where: { points: 37, actorId: shop.worker.id } });
  expect(posted).toMatchObject([{ tender: "card" }]);
});

test("a super_admin at a till keeps nothing there that the till could not send", async ({
  page,
  context,
  shop,
  db,
}) => {
  await makeCustomer(db, shop, { fullName: "Known Guest" });
  await pairBrowser(page, db, shop);
  await signIn(db, page, await makeAdmin(db, { role: "super_admin" }));
  await openSettled(page, "/admin/topup");
  await context.setOffline(true);
  await page.getByLabel(counter.search.label, { exact: true }).fill("Known Guest");
  await expect(page.getByText(counter.search.failed)).toBeVisible();
  await expect(page.locator("[data-slot=offline]")).toHaveCount(0);
});

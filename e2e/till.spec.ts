import type { Browser, BrowserContext, Page } from "@playwright/test";
import { setPin as keepPin } from "@/lib/accounts/pin";
import { contextOf, makeCustomer, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { violationsOn } from "./support/accessible";
import { expect, signIn, signInByForm, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const { atTill, shiftDesk, shifts, tills, account, errors, counter, movements } = words;
const PIN = "580314";
const OTHER_PIN = "470925";

/** Adds a till as the owner and answers its pairing code. */
async function makeTill(page: Page): Promise<string> {
  await page.goto("/merchant/tills");
  await page.getByRole("button", { name: tills.add }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(tills.name).fill("Front till");
  await dialog.getByRole("button", { name: tills.save }).click();
  const code = ((await page.locator("output").textContent()) ?? "").replace(/\D/g, "");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: tills.add })).toBeFocused();
  return code;
}

async function setPin(page: Page, pin: string) {
  await page.goto("/employee/account");
  const card = page.locator("#pin");
  await card.getByLabel(account.pin.pin, { exact: true }).fill(pin);
  await card.getByLabel(account.pin.repeat).fill(pin);
  await card.getByLabel(account.pin.password).fill(PASSWORD);
  await card.getByRole("button", { name: account.pin.save }).click();
}

async function pair(page: Page, code: string) {
  await page.goto("/login");
  await page.getByRole("link", { name: words.auth.till, exact: true }).click();
  await page.getByLabel(atTill.code).fill(code);
  await page.getByRole("button", { name: atTill.pair, exact: true }).click();
  await expect(page.getByRole("heading", { name: atTill.title })).toBeVisible();
}

async function enterPin(page: Page, name: string, pin: string) {
  await page.getByRole("button", { name }).click();
  await page.keyboard.type(pin);
}

async function expectAccessible(page: Page) {
  expect(await violationsOn(page)).toEqual([]);
}

/** A browser of its own: the device at the counter. */
const device = (browser: Browser, baseURL: string | undefined, locale = "en-GB"): Promise<BrowserContext> =>
  browser.newContext({ baseURL, locale, viewport: { width: 820, height: 1100 }, reducedMotion: "reduce" });

test("a till from its pairing to the count of its drawer", async ({ page, browser, db, shop, baseURL }) => {
  test.slow();
  const other = await makeWorker(db, shop);
  await db.user.update({ where: { id: shop.worker.id }, data: { firstName: "Sara", lastName: "Ahmed" } });
  await db.user.update({ where: { id: other.id }, data: { firstName: "Omar", lastName: "Nasser" } });
  const customer = await makeCustomer(db, shop, { fullName: "Till Guest" });
  await signIn(db, page, shop.owner);
  const code = await makeTill(page);
  await signIn(db, page, shop.worker);
  await setPin(page, "123456");
  await expect(page.getByText(errors.weak_pin)).toBeVisible();
  await setPin(page, PIN);
  await expect(page.getByText(account.pin.saved)).toBeVisible();
  await signIn(db, page, other);
  await setPin(page, OTHER_PIN);
  await expect(page.getByText(account.pin.saved)).toBeVisible();

  const context = await device(browser, baseURL);
  const till = await context.newPage();
  await pair(till, code);
  await expectAccessible(till);
  await till.setViewportSize({ width: 740, height: 360 });
  await till.getByRole("button", { name: "Sara Ahmed" }).click();
  for (const name of ["1", "0", atTill.back])
    await expect(till.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 0.99 });
  await till.getByRole("button", { name: atTill.back, exact: true }).click();
  await till.setViewportSize({ width: 820, height: 1100 });
  await enterPin(till, "Sara Ahmed", "990011");
  await expect(till.getByText(errors.wrong_pin)).toBeVisible();
  await till.keyboard.type(PIN);
  await expect(till).toHaveURL(/\/employee\/topup$/);
  const bar = till.getByRole("region", { name: atTill.cashier });
  await expect(bar).toContainText("Sara Ahmed");

  // The page of a navigation has no data, other pages ask for the password, and a stolen cookie opens nothing.
  const html = await (await till.request.get("/employee/topup")).text();
  expect(html).not.toContain("Sara");
  await till.goto("/employee/dashboard");
  await expect(till.getByText(atTill.needsPassword)).toBeVisible();
  const handle = await till.evaluate(() => localStorage.getItem("token"));
  const stolen = await till.request.get(`/api/customer-management/view/${customer.id}`, {
    headers: { authorization: handle ?? "" },
  });
  expect(stolen.status()).toBe(401);
  expect(await stolen.json()).toMatchObject({ code: "invalid_dpop_proof" });

  await till.goto("/employee/shift");
  await expect(bar).toContainText(atTill.noShift);
  await till.getByLabel(shiftDesk.float).fill("200");
  await till.getByRole("button", { name: shiftDesk.open }).click();
  await till.getByRole("button", { name: shiftDesk.moves.pay_out.title }).click();
  await till.getByLabel(shiftDesk.amount).fill("15.50");
  await till.getByLabel(shiftDesk.reason).fill("Milk");
  await till.getByRole("button", { name: shiftDesk.record }).click();
  await expect(till.getByText("Milk")).toBeVisible();
  await expect(bar).toContainText("Shift since");
  await expectAccessible(till);

  await till.goto("/employee/topup");
  await till.getByLabel(counter.search.label, { exact: true }).fill("Till Guest");
  await till.getByRole("button", { name: "Till Guest" }).click();
  await till.getByLabel(counter.amount, { exact: true }).fill("30");

  // The same cashier finds what was typed; another begins anew.
  await till.evaluate(() => localStorage.setItem("till.touched", "1"));
  const asked = till.getByRole("dialog").filter({ hasText: atTill.title });
  await expect(asked).toBeVisible();
  await expectAccessible(till);
  await enterPin(till, "Sara Ahmed", PIN);
  await expect(asked).toHaveCount(0);
  await expect(till.getByLabel(counter.amount, { exact: true })).toHaveValue("30");
  const cash = till.getByRole("button", { name: movements.tenders.cash, exact: true });
  await expect(cash).toHaveAttribute("aria-pressed", "true");
  await till.getByRole("button", { name: /^Add 30 pts · QAR/ }).click();
  // A page that is left before it has the answer rightly opens the customer again.
  await expect(till.getByRole("button", { name: counter.next })).toBeVisible();
  const [movement, ...more] = await db.movement.findMany({ where: { customerId: customer.id } });
  if (!movement) throw new Error("no movement");
  expect(more).toEqual([]);
  expect(movement).toMatchObject({ actorId: shop.worker.id });
  expect(movement.tillId).not.toBeNull();
  await till.goto("/employee/redeem");
  await bar.getByRole("button", { name: atTill.change }).click();
  await enterPin(till, "Omar Nasser", OTHER_PIN);
  await expect(bar).toContainText("Omar Nasser");

  await till.goto("/employee/shift");
  await till.getByRole("button", { name: shiftDesk.count }).click();
  // 200 + 30 − 15.50, with the value of a point that the shop has, and 5 too little.
  const dirhams = 20_000 - 1_550 + movement.points * movement.rate - 500;
  await till.getByLabel(shiftDesk.cash).fill((dirhams / 100).toFixed(2));
  await till.getByRole("button", { name: shiftDesk.close }).click();
  await expect(till.getByRole("button", { name: shifts.print })).toBeVisible();
  await expect(till.getByText("QAR 5.00 short")).toBeVisible();
  await expect(bar).toContainText(atTill.noShift);
  await expectAccessible(till);
  await context.close();

  await signIn(db, page, shop.owner);
  await page.goto("/merchant/dashboard");
  await page.getByRole("link", { name: /Front till/ }).click();
  await expect(page).toHaveURL(/\/merchant\/shifts\//);
});

test("in Arabic; a retired till says so, and a password still works", async ({
  page,
  browser,
  db,
  shop,
  baseURL,
}) => {
  const ar = wordsOf("ar");
  await db.user.update({ where: { id: shop.worker.id }, data: { firstName: "سارة", lastName: "أحمد" } });
  await signIn(db, page, shop.owner);
  const code = await makeTill(page);
  const context = await device(browser, baseURL);
  await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
  const till = await context.newPage();
  await till.goto(`/login/till#${code}`);
  await till.getByRole("button", { name: ar.atTill.pair, exact: true }).click();
  await expect(till.getByRole("button", { name: "سارة أحمد" })).toContainText(ar.atTill.noPin);
  await expectAccessible(till);
  // Until the worker has a PIN, the password serves, and the movement has its till all the same.
  await till.getByRole("button", { name: ar.atTill.password }).click();
  await expect(till).toHaveURL(/\/login\?/);
  await signInByForm(till, shop.worker, till.url());
  await till.goto("/employee/shift");
  await till.getByLabel(ar.shiftDesk.float).fill("٥٠");
  await till.getByRole("button", { name: ar.shiftDesk.open }).click();
  await expect(till.getByRole("button", { name: ar.shiftDesk.count })).toBeVisible();
  await expectAccessible(till);
  // Before the count no page of theirs has a sum of money.
  await till.goto("/employee/transactions");
  await expect(till.getByText(ar.shifts.blind)).toBeVisible();
  const shift = await db.shift.findFirstOrThrow({ where: { merchantId: shop.merchant.id } });
  expect(shift.float).toBe(5_000);
  await db.till.update({ where: { id: shift.tillId }, data: { retiredAt: new Date() } });
  await till.goto("/login/till");
  await expect(till.getByText(ar.atTill.retiredTitle)).toBeVisible();
  await till.goto("/employee/shift");
  await expect(till.getByText(ar.shiftDesk.noTill)).toBeVisible();
  await context.close();
});

test("a digit typed the moment a PIN is refused begins the next one", async ({ page, db, shop }) => {
  await keepPin(contextOf(db, shop.worker), { password: PASSWORD, pin: PIN });
  await pairBrowser(page, db, shop);
  await page.goto("/login/till");
  await page.getByRole("button", { name: `${shop.worker.firstName} ${shop.worker.lastName}` }).click();
  // Right after the page has changed, before anything that React does later.
  await page.evaluate(
    (digit) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector("input[aria-invalid=true]")) return;
        observer.disconnect();
        document.execCommand("insertText", false, digit);
      });
      observer.observe(document.body, { childList: true, subtree: true, attributes: true });
    },
    PIN.slice(0, 1),
  );
  await page.keyboard.type("990011");
  await expect(page.getByText(errors.wrong_pin)).toBeVisible();
  await page.keyboard.type(PIN.slice(1));
  await expect(page).toHaveURL(/\/employee\/topup$/);
});

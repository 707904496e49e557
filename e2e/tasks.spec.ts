import type { Locator, Page } from "@playwright/test";
import { contextOf, makeCustomer, PASSWORD, randomPhone } from "@/lib/testing/factories";
import { createWorker } from "@/lib/workers/workers";
import { barOf } from "./support/cashiers";
import { lastCode, lastLink } from "./support/mailbox";
import { expect, signIn, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

// How many taps and keys the tasks take that people do every day, on a phone or a small till. A field that is typed in
// without a tap has the focus already, or gets it by the keyboard's key for the next field, which counts as a key.
test.use({ viewport: { width: 360, height: 780 } });

const words = wordsOf("en");

/** One hand that taps and types, and counts. */
function hand(page: Page) {
  const used = { taps: 0, keys: 0 };
  return {
    used,
    tap: async (what: Locator) => {
      used.taps += 1;
      await what.click();
    },
    type: async (text: string) => {
      used.keys += text.length;
      await page.keyboard.type(text);
    },
    next: async () => {
      used.keys += 1;
      await page.keyboard.press("Tab");
    },
  };
}

function expectAtMost(what: string, used: { taps: number; keys: number }, most: typeof used): void {
  console.log(`${what}: ${used.taps} taps, ${used.keys} keys (at most ${most.taps} and ${most.keys})`);
  expect(used.taps, `${what}: taps`).toBeLessThanOrEqual(most.taps);
  expect(used.keys, `${what}: keys`).toBeLessThanOrEqual(most.keys);
}

/** An address as short as people have. */
const shortEmail = () => `l${randomPhone().slice(-7)}@mail.test`;

test("sign-up: 5 taps and 60 keys, with Continue on the first screen", async ({ page, shop }) => {
  const { customerSignup, customerVerify } = words;
  const email = shortEmail();
  await page.goto(`/customer/signup/${shop.merchant.publicId}`);
  const submit = page.getByRole("button", { name: customerSignup.submit });
  await expect(submit).toBeInViewport({ ratio: 1 });
  const { used, tap, type, next } = hand(page);
  await tap(page.getByLabel(customerSignup.fullName));
  for (const text of ["Layla Haddad", email, "33123456"]) {
    await type(text);
    await next();
  }
  await type("21031994");
  await tap(page.getByRole("checkbox"));
  await tap(submit);
  await expect(page).toHaveURL(/\/customer\/verify/);
  const code = await lastCode(email);
  await expect(page.getByRole("textbox", { name: customerVerify.codeLabel })).toBeFocused();
  await type(code);
  await expect(page.getByRole("heading", { name: customerVerify.doneTitle })).toBeVisible();
  expectAtMost("sign-up", used, { taps: 5, keys: 60 });
});

test("top-up by search: 3 taps after the search has the focus, and 4 keys", async ({ page, shop, db }) => {
  const { counter } = words;
  await makeCustomer(db, shop, { fullName: "Moza Quick" });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const search = page.getByLabel(counter.search.label, { exact: true });
  await search.click();
  const { used, tap, type } = hand(page);
  await type("moza");
  await tap(page.getByRole("list", { name: counter.search.results }).getByRole("button", { name: /^Moza/ }));
  const dialog = page.getByRole("dialog");
  await tap(dialog.getByRole("button", { name: "Add 100 points" }));
  await tap(dialog.locator("button[type=submit]"));
  await expect(dialog.getByText("Successfully added 100 Cash")).toBeVisible();
  expectAtMost("top-up", used, { taps: 3, keys: 4 });
});

test("an employee's first sign-in: 6 taps and 40 keys", async ({ page, shop, db }) => {
  const { auth, account } = words;
  const email = shortEmail();
  const person = { firstName: "Huda", lastName: "Saleh", email, phone: randomPhone() };
  await createWorker(contextOf(db, shop.owner), { ...person, branchId: shop.branch.id });
  await page.goto(await lastLink(email));
  const { used, tap, type } = hand(page);
  await tap(page.getByLabel(auth.password, { exact: true }));
  await type(PASSWORD);
  await tap(page.getByLabel(account.pin.title, { exact: true }));
  await type("580314");
  await tap(page.getByRole("button", { name: auth.inviteStart }));
  await expect(page).toHaveURL(/\/employee\/topup$/);
  expectAtMost("first sign-in", used, { taps: 6, keys: 40 });
});

test("opening and closing a shift: 12 taps and 12 keys", async ({ page, shop, db }) => {
  const { atTill, shiftDesk, shifts } = words;
  await pairBrowser(page, db, shop);
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const { used, tap, type } = hand(page);
  await tap(barOf(page).getByRole("link", { name: atTill.openShift }));
  await tap(page.getByLabel(shiftDesk.float));
  await type("205.5");
  await tap(page.getByRole("button", { name: shiftDesk.open }));
  await tap(page.getByRole("button", { name: shiftDesk.count }));
  await tap(page.getByLabel(shiftDesk.cash));
  await type("205.5");
  await tap(page.getByRole("button", { name: shiftDesk.close }));
  await expect(page.getByText(shifts.matches)).toBeVisible();
  expectAtMost("a shift", used, { taps: 12, keys: 12 });
});

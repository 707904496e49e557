import type { Page } from "@playwright/test";
import { makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { lastCode, mailTo, wrongCode } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ viewport: { width: 360, height: 780 } });
const words = wordsOf("en").customerVerify;

/** Stores a pending sign-up in the browser, as the form does. */
async function storePendingSignUp(page: Page, email: string, iMerchantId: string): Promise<void> {
  const person = { sFullName: "Layla Haddad", sPhoneNumber: "+97433123456", dDateOfBirth: "1995-04-12" };
  const data = { ...person, bConsent: true };
  await page.goto("/privacy");
  await page.evaluate(
    (text) => localStorage.setItem("customerData", text),
    JSON.stringify({ ...data, sEmail: email, iMerchantId }),
  );
}

/** Enters a wrong code this many times. */
async function guessWrong(page: Page, code: string, times: number): Promise<void> {
  const field = page.getByLabel(words.codeLabel);
  for (let guess = 0; guess < times; guess++) {
    await field.fill(wrongCode(code));
    await expect(page.getByText(words.invalid)).toBeVisible();
    await expect(field).toHaveValue("");
  }
}

/** The e-mail of the pending sign-up in the browser's storage. */
const pendingEmail = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.customerData ?? "{}").sEmail as string | undefined);

test("the page reads the pending sign-up of its browser: none, one of another merchant, one that is removed or given up", async ({
  page,
  shop,
  db,
}) => {
  await test.step("without a pending sign-up the page redirects to the sign-up form", async () => {
    await page.goto("/customer/verify");
    await expect(page).toHaveURL(/\/customer\/signup\/?$/);
    await storePendingSignUp(page, "", shop.merchant.id);
    await page.goto("/customer/verify");
    await expect(page).toHaveURL(new RegExp(`/customer/signup/${shop.merchant.publicId}$`));
  });

  await test.step("a page whose sign-up was removed from the browser meanwhile says so and registers nobody", async () => {
    const email = uniqueEmail("layla");
    await storePendingSignUp(page, email, shop.merchant.id);
    await page.goto("/customer/verify");
    const code = await lastCode(email);
    await page.evaluate(() => localStorage.removeItem("customerData"));
    await page.getByLabel(words.codeLabel).fill(code);
    await expect(page.getByText(words.dataMissing)).toBeVisible();
    expect(await db.customer.count({ where: { email } })).toBe(0);
  });

  await test.step("after the sign-up form no second code is sent, and Back to Profile clears the pending sign-up", async () => {
    const email = uniqueEmail("layla");
    await storePendingSignUp(page, email, shop.merchant.id);
    await page.goto("/customer/verify?from=signup");
    await expect(page.getByRole("timer")).toBeVisible();
    await page.getByRole("button", { name: words.back }).click();
    await expect(page).toHaveURL(new RegExp(`/customer/signup/${shop.merchant.publicId}$`));
    expect(await page.evaluate(() => localStorage.customerData)).toBeUndefined();
    expect(await mailTo(email)).toHaveLength(0);
  });

  await test.step("the page shows the merchant of its sign-up, whichever the address names", async () => {
    const { merchant: other } = await makeMerchant(db);
    await storePendingSignUp(page, uniqueEmail("layla"), other.publicId);
    await page.goto(`/customer/verify?from=signup&merchantId=${shop.merchant.publicId}`);
    await expect(page.locator("[data-slot=loyalty-card]")).toContainText(other.businessName);
  });
});

test("a correct code can be used again after its registration was refused; then it verifies, registers in one operation and is used up", async ({
  page,
  shop,
  db,
}) => {
  const email = uniqueEmail("layla");
  await storePendingSignUp(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  const code = await lastCode(email);
  const { id } = shop.merchant;
  await db.merchant.update({ where: { id }, data: { status: "pending" } });
  await page.getByLabel(words.codeLabel).fill(code);
  await expect(page.locator("main").getByRole("alert").filter({ hasText: /\S/ }).first()).toBeVisible();
  const again = page.getByRole("button", { name: words.tryAgain });
  await expect(again).toBeVisible();
  await db.merchant.update({ where: { id }, data: { status: "approved" } });
  await again.click();
  await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  const stored = await page.evaluate(() => [localStorage.customerData, localStorage.customerInfo]);
  expect(stored[0]).toBeUndefined();
  expect(JSON.parse(stored[1])).toMatchObject({ isNewRegistration: true, customerData: { sEmail: email } });
  expect(await db.verification.count({ where: { email } })).toBe(0);
  await expect(page.getByText(wordsOf("en").api.registered)).toBeVisible();
  // The success is the card itself.
  await expect(page.getByText("Welcome, Layla")).toBeVisible();
  await expect(page.locator("[data-slot=loyalty-card]").getByText("Layla Haddad")).toBeVisible();
  await expect(page).toHaveURL(/\/customer\/loyalty-card\/[0-9a-f-]{36}$/);
  await expect(page.locator("[data-slot=loyalty-card]")).toBeVisible();
  // Nothing covers what the card says.
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
});

test("opening the page sends one code; after 300 seconds it has expired and another may be sent", async ({
  page,
  shop,
}) => {
  const email = uniqueEmail("layla");
  await page.clock.install();
  await storePendingSignUp(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  const first = await lastCode(email);
  const resend = page.getByRole("button", { name: words.resend });
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(resend).toBeDisabled();
  // It says how long it waits.
  await expect(resend).toHaveText(/5:00|4:\d\d/);
  await page.getByLabel(words.codeLabel).fill("12");
  await page.clock.fastForward("05:01");
  await expect(page.getByText(words.expired)).toBeVisible();
  await expect(resend).toBeEnabled();
  expect(await mailTo(email)).toHaveLength(1);
  await resend.click();
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(page.getByLabel(words.codeLabel)).toHaveValue("");
  expect(await lastCode(email, 2)).not.toBe(first);
});

test("sign-ups in two tabs do not mix", async ({ page, context, shop, db }) => {
  const [mother, father] = [uniqueEmail("mother"), uniqueEmail("father")];
  const { merchant: fathers } = await makeMerchant(db);
  await storePendingSignUp(page, mother, shop.merchant.id);
  await page.goto("/customer/verify");
  await expect(page.getByText(mother)).toBeVisible();
  const first = await lastCode(mother);
  const other = await context.newPage();
  await storePendingSignUp(other, father, fathers.id);
  await other.goto("/customer/verify");
  await expect(other.getByText(father)).toBeVisible();
  const fathersCode = await lastCode(father);

  await guessWrong(page, first, 5);
  await page.getByRole("button", { name: words.resend }).click();
  const second = await lastCode(mother, 2);
  await page.getByLabel(words.codeLabel).fill(second);
  await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  expect(await mailTo(father)).toHaveLength(1);
  expect(await pendingEmail(other)).toBe(father);

  await other.getByLabel(words.codeLabel).fill(fathersCode);
  await expect(other.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  expect(await pendingEmail(other)).toBeUndefined();
  const cards = { where: { email: { in: [mother, father] } }, select: { email: true, merchantId: true } };
  expect(await db.customer.findMany({ ...cards, orderBy: { email: "asc" } })).toEqual([
    { email: father, merchantId: fathers.id },
    { email: mother, merchantId: shop.merchant.id },
  ]);
});

test("one person's sign-ups with two merchants in two tabs give a card of each", async ({
  page,
  context,
  shop,
  db,
}) => {
  const email = uniqueEmail("layla");
  const { merchant: second } = await makeMerchant(db);
  await storePendingSignUp(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  await lastCode(email);
  const other = await context.newPage();
  await storePendingSignUp(other, email, second.id);
  await other.goto("/customer/verify");
  const newest = await lastCode(email, 2);
  const merchantsOf = async () =>
    (await db.customer.findMany({ where: { email }, orderBy: { registeredAt: "asc" } })).map(
      ({ merchantId }) => merchantId,
    );

  await page.getByLabel(words.codeLabel).fill(newest);
  await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  expect(await merchantsOf()).toEqual([shop.merchant.id]);

  await guessWrong(other, newest, 5);
  await other.getByRole("button", { name: words.resend }).click();
  // The welcome to the first card is a mail without a code.
  await other.getByLabel(words.codeLabel).fill(await lastCode(email, 3));
  await expect(other.getByRole("heading", { name: words.doneTitle })).toBeVisible();
  expect(await merchantsOf()).toEqual([shop.merchant.id, second.id]);
});

test("a reload forgets no wrong guess: Resend Code becomes enabled when the code is used up", async ({
  page,
  shop,
}) => {
  const email = uniqueEmail("layla");
  const resend = page.getByRole("button", { name: words.resend });
  await storePendingSignUp(page, email, shop.merchant.id);
  await page.goto("/customer/verify");
  const first = await lastCode(email);
  await guessWrong(page, first, 3);
  await page.reload();
  await guessWrong(page, first, 1);
  await expect(resend).toBeDisabled();
  await guessWrong(page, first, 1);
  await expect(resend).toBeEnabled();
  await page.reload();
  await expect(resend).toBeEnabled();
  await resend.click();
  await expect(resend).toBeDisabled();
  const second = await lastCode(email, 2);
  await guessWrong(page, second, 1);
  await expect(resend).toBeDisabled();
  await page.getByLabel(words.codeLabel).fill(second);
  await expect(page.getByRole("heading", { name: words.doneTitle })).toBeVisible();
});

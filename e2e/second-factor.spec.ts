import type { Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { newTotp } from "@/lib/accounts/factors/codes";
import { PASSWORD } from "@/lib/testing/factories";
import { expect, signIn, test, withoutAnswers } from "./support/test";
import { wordsOf } from "./support/words";

/** Chromium's own authenticator in software, which verifies its user without a touch. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a passkey is added, signs in alone, and confirms an export", async ({ page, shop, db }) => {
  await addAuthenticator(page);
  await signIn(db, page, shop.owner, { steppedUp: false });
  await page.goto("/merchant/account");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const confirmation = page.getByRole("dialog");
  // A wrong password may be followed by the right one.
  await confirmation.getByRole("textbox", { name: "Password" }).fill("another password");
  await confirmation.getByRole("button", { name: "Confirm" }).click();
  await expect(confirmation.getByRole("alert")).toHaveText(wordsOf("en").errors.wrong_password);
  await confirmation.getByRole("textbox", { name: "Password" }).fill("demo-wallet-2026");
  await confirmation.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByTestId("recovery-code")).toHaveCount(10);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();

  await page
    .getByRole("button", { name: wordsOf("en").shell.signOut })
    .first()
    .click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: wordsOf("en").shell.signOut })
    .click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(/\/merchant\/dashboard$/);

  await page.goto("/merchant/transactions");
  const refused = await page.request.get("/merchant/transactions/export");
  expect(refused.status()).toBe(403);
  // The browser follows a link by itself until the page's scripts run. The page then asks, and its filters stay.
  await page.goto("/merchant/transactions/export?type=redeem");
  await expect(confirmation).toBeVisible();
  await expect(page).toHaveURL(/\/merchant\/transactions\?type=redeem$/);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /CSV/ }).click();
  await expect(confirmation).toBeVisible();
  const download = page.waitForEvent("download");
  await withoutAnswers(page, async () => {
    await confirmation.getByRole("button", { name: "Use a passkey" }).click();
    await expect(confirmation.getByRole("alert")).toHaveText(wordsOf("en").errors.unavailable);
  });
  await confirmation.getByRole("button", { name: "Use a passkey" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
  await db.session.updateMany({ where: { userId: shop.owner.id }, data: { steppedUpUntil: null } });
  const led = page.waitForEvent("download");
  await page.goto("/merchant/transactions/export?type=redeem");
  await confirmation.getByRole("button", { name: "Use a passkey" }).click();
  expect((await led).url()).toMatch(/\/merchant\/transactions\/export\?type=redeem$/);
  expect((await page.request.get("/merchant/transactions/export")).status()).toBe(200);
});

test("without an answer of the server a first step says so, no other session ends, and the account page stays", async ({
  page,
  shop,
  db,
}) => {
  await test.step("a first step without an answer says so", async () => {
    await signIn(db, page, shop.owner);
    await page.goto("/merchant/account");
    const { errors, factors } = wordsOf("en");
    const add = page.getByRole("button", { name: factors.addApp });
    await withoutAnswers(page, async () => {
      await add.click();
      await expect(page.getByText(errors.unavailable)).toBeVisible();
    });
    await add.click();
    await expect(page.getByRole("dialog", { name: factors.addApp })).toBeVisible();
  });

  await test.step("no other session ends", async () => {
    for (let session = 0; session < 2; session++) await signIn(db, page, shop.owner);
    await page.goto("/merchant/account");
    const { errors, account } = wordsOf("en");
    const endOthers = page.getByRole("button", { name: account.sessions.endOthers });
    await withoutAnswers(page, async () => {
      await endOthers.click();
      await expect(page.getByText(errors.unavailable)).toBeVisible();
      await expect(endOthers).toBeEnabled();
    });
    await endOthers.click();
    await expect(endOthers).toBeHidden();
  });
});

test("the password alone does not sign in where a passkey is set", async ({ page, shop, db }) => {
  await db.secondFactor.create({
    data: {
      userId: shop.worker.id,
      kind: "passkey",
      name: "Phone",
      credentialId: `e2e-${shop.worker.id}`,
      publicKey: new Uint8Array([1]),
      confirmedAt: new Date(),
    },
  });
  await page.goto("/login");
  await page.getByRole("textbox", { name: "Email" }).fill(shop.worker.email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.locator('form button[type="submit"]').first().click();
  await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test("next-auth's unused routes are 404, its session shows no id, and its sign-out ends the row", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  for (const name of ["providers", "signin", "error", "callback/credentials"]) {
    expect((await page.request.get(`/api/auth/${name}`)).status(), name).toBe(404);
  }
  const { id, handle } = await db.session.findFirstOrThrow({ where: { userId: shop.owner.id } });
  const shown = await (await page.request.get("/api/auth/session")).text();
  expect(shown).toContain(handle);
  expect(shown).not.toContain(id);
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  await page.request.post("/api/auth/signout", { form: { csrfToken } });
  expect((await db.session.findUniqueOrThrow({ where: { id } })).revokedAt).not.toBeNull();
});

test("the code of an authenticator app has six boxes, the last digit sends it, and a wrong one is cleared", async ({
  page,
  shop,
  db,
}) => {
  const { auth, factors } = wordsOf("en");
  const { id: userId, email } = shop.worker;
  const { secret, sealed } = newTotp(userId, email);
  await db.secondFactor.create({
    data: { userId, kind: "totp", name: "Phone", secret: sealed, confirmedAt: new Date() },
  });
  await db.recoveryCode.create({ data: { userId, codeHash: `none ${userId}` } });
  await page.goto("/login");
  await page.getByRole("textbox", { name: auth.email }).fill(email);
  await page.getByRole("textbox", { name: auth.password }).fill(PASSWORD);
  await page.locator('form button[type="submit"]').first().click();
  const field = page.getByLabel(factors.code, { exact: true });
  await expect(field).toBeFocused();
  const code = new TOTP({ secret }).generate();
  await page.keyboard.type(code === "000000" ? "111111" : "000000");
  await expect(page.locator("main").getByRole("alert")).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: factors.useRecovery }).click();
  await expect(page.getByLabel(factors.recoveryCode)).toBeVisible();
  await page.getByRole("button", { name: factors.useApp }).click();
  await field.focus();
  await page.keyboard.type(code);
  await expect(page).not.toHaveURL(/\/login/);
});

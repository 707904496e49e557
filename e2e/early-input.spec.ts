import type { BrowserContext, Page } from "@playwright/test";
import { makeCustomer, uniqueEmail } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { auth, customerSignup, validation } = wordsOf("en");

/** Opens a page as a slow connection does: its HTML is there, and its scripts come with `release`. */
async function openSlowly(
  context: BrowserContext,
  path: string,
): Promise<{ page: Page; release: () => void }> {
  const page = await context.newPage();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "domcontentloaded" });
  return { page, release };
}

test("a customer's details that are typed and sent before the page's scripts run stay, and are sent", async ({
  context,
  shop,
}) => {
  const path = `/customer/signup/${shop.merchant.publicId}`;
  const { page, release } = await openSlowly(context, path);
  const [name, email] = [page.getByLabel(customerSignup.fullName), page.getByLabel(customerSignup.email)];
  const address = uniqueEmail("early");
  await name.fill("Layla Haddad");
  await email.fill(address);
  await email.press("Enter");
  release();
  // The form was sent: it says which fields are missing.
  await expect(page.getByText(validation.phone.required)).toBeVisible();
  await expect(name).toHaveValue("Layla Haddad");
  expect(new URL(page.url()).search).toBe("");
  await page.getByLabel(customerSignup.phone).fill("33123456");
  await page.getByLabel(customerSignup.dateOfBirth).fill("21/03/1994");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: customerSignup.submit }).click();
  await expect(page).toHaveURL(/\/customer\/verify/);
  await expect(page.getByText(address).first()).toBeVisible();
});

test("an owner's password that is sent before the page's scripts run is in no address", async ({
  context,
}) => {
  const { page, release } = await openSlowly(context, "/signup");
  const password = page.locator('input[type="password"]').first();
  await password.fill("a long password of an owner");
  await password.press("Enter");
  release();
  await expect(page.getByText(validation.required).first()).toBeVisible();
  await expect(password).toHaveValue("a long password of an owner");
  expect(new URL(page.url()).search).toBe("");
});

test("what is typed into a search before the page's scripts run is searched for, and saved texts are in the first HTML", async ({
  page,
  context,
  db,
  shop,
}) => {
  await makeCustomer(db, shop, { fullName: "Early Guest" });
  await signIn(db, page, shop.owner);
  for (const path of ["/merchant/topup", "/merchant/customers"]) {
    const { page: slow, release } = await openSlowly(context, path);
    const search = slow.getByRole("searchbox");
    await search.fill("Early");
    release();
    await expect(slow.getByText("Early Guest").filter({ visible: true }).first()).toBeVisible();
    await expect(search).toHaveValue("Early");
    await slow.close();
  }
  const { page: account, release } = await openSlowly(context, "/merchant/account");
  const name = account.locator('input[name="businessName"]');
  await expect(name).toHaveValue(shop.merchant.businessName);
  await name.press("End");
  await name.pressSequentially(" II");
  release();
  await account.waitForLoadState("networkidle");
  await expect(name).toHaveValue(`${shop.merchant.businessName} II`);
});

test("who asks for a new password before the page's scripts run gets the letter", async ({
  context,
  shop,
}) => {
  const { page, release } = await openSlowly(context, "/forgot-password");
  const email = page.getByLabel(auth.email);
  await email.fill(shop.owner.email);
  await email.press("Enter");
  release();
  await expect(page.getByText(auth.forgotSent)).toBeVisible();
});

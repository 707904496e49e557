import { SESSION_COOKIE } from "@/lib/accounts/auth.config";
import { PASSWORD } from "@/lib/testing/factories";
import { expect, signIn, signInByForm, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");

test("a password change goes on under a new session, in every tab, and a copied cookie is out", async ({
  page,
  context,
  browser,
  baseURL,
  shop,
  db,
}) => {
  await signInByForm(page, shop.owner);
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await signIn(db, elsewhere, shop.owner);
  await elsewhere.goto("/merchant/dashboard");
  const [copied] = (await context.cookies()).filter(({ name }) => name === SESSION_COOKIE);
  if (!copied) throw new Error("no session");
  const tab = await context.newPage();
  await tab.goto("/merchant/dashboard");
  const handle = () => page.evaluate(() => localStorage.getItem("token"));

  await page.goto("/merchant/account");
  const before = await handle();
  const { password } = words.account;
  await page.getByLabel(password.old).fill(PASSWORD);
  await page.getByLabel(password.new).fill("a quite new secret");
  await page.getByRole("button", { name: password.save }).click();
  await expect(page.getByText("Password changed. One other session has ended.")).toBeVisible();
  await expect.poll(handle).not.toBe(before);
  await expect(page).toHaveURL(/\/merchant\/account$/);
  await page.goto("/merchant/customers");
  await expect(page).toHaveURL(/\/merchant\/customers$/);
  await expect.poll(() => tab.evaluate(() => localStorage.getItem("token"))).toBe(await handle());
  await tab.goto("/merchant/branches");
  await expect(tab).toHaveURL(/\/merchant\/branches$/);

  await elsewhere.goto("/merchant/customers");
  await expect(elsewhere).toHaveURL(/\/login/);
  await elsewhere.context().addCookies([copied]);
  await elsewhere.goto("/merchant/customers");
  await expect(elsewhere).toHaveURL(/\/login/);
});

import { contextOf, PASSWORD, randomPhone, uniqueEmail } from "@/lib/testing/factories";
import { createWorker } from "@/lib/workers/workers";
import { lastLink } from "./support/mailbox";
import { expect, test } from "./support/test";
import { wordsOf } from "./support/words";

test("an employee opens the invitation, sets a password and a PIN, and is at the counter", async ({
  page,
  context,
  db,
  shop,
  baseURL,
}) => {
  await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
  const { auth, account, errors } = wordsOf("ar");
  const email = uniqueEmail("huda");
  const person = { firstName: "Huda", lastName: "Saleh", email, phone: randomPhone() };
  const worker = await createWorker(contextOf(db, shop.owner), { ...person, branchId: shop.branch.id });
  const link = await lastLink(email);
  await page.goto(link);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText(shop.merchant.businessName);
  await expect(heading).toContainText("Huda");
  await page.getByLabel(auth.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(account.pin.title, { exact: true }).fill("123456");
  await page.getByRole("button", { name: auth.inviteStart }).click();
  await expect(page.getByText(errors.weak_pin)).toBeVisible();
  await page.getByLabel(account.pin.title, { exact: true }).fill("580314");
  await page.getByRole("button", { name: auth.inviteStart }).click();
  await expect(page).toHaveURL(/\/employee\/topup$/);
  expect(await db.workerPin.count({ where: { userId: worker.id } })).toBe(1);
  await page.reload();
  await expect(page).toHaveURL(/\/employee\/topup$/);
  // It works once.
  await context.clearCookies({ name: /session/ });
  await page.goto(link);
  await expect(page.getByText(errors.link_invalid)).toBeVisible();
  await expect(page.getByLabel(auth.newPassword)).toHaveCount(0);
  await expect(page.getByRole("link", { name: auth.newLink })).toBeVisible();
});

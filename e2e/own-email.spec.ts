import { uniqueEmail } from "@/lib/testing/factories";
import { lastCode } from "./support/mailbox";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const { account, customerVerify } = wordsOf("en");
const { email: words } = account;

test("staff change their own email with a code at both addresses, each sent with its last digit", async ({
  page,
  shop,
  db,
}) => {
  const { worker } = shop;
  const next = uniqueEmail("next");
  await signIn(db, page, worker);
  await page.goto("/employee/account");
  await page.getByRole("button", { name: words.title }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(words.new).fill(next);
  await dialog.getByRole("button", { name: words.send }).click();
  const code = dialog.getByLabel(customerVerify.codeLabel);
  await code.fill(await lastCode(next));
  await expect(dialog.getByRole("button", { name: words.confirm })).toBeVisible();
  await code.fill(await lastCode(worker.email));
  await expect(dialog).toBeHidden();
  await expect(page.getByText(next)).toBeVisible();
  expect((await db.user.findUniqueOrThrow({ where: { id: worker.id } })).email).toBe(next);
});

import { makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { openCustomer } from "./support/till";
import { wordsOf } from "./support/words";

const { counter } = wordsOf("en");
const HOUR = 60 * 60_000;

test("on a device whose clock is an hour ahead, both lists offer Undo while the server allows it", async ({
  page,
  db,
  shop,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Clock Guest" });
  await page.clock.install({ time: Date.now() + HOUR });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const dialog = await openCustomer(page, "Clock Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
  await dialog.getByRole("button", { name: "Add 30 pts" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  const undo = page.getByRole("button", { name: counter.undoNamed.replace("{name}", "Clock Guest") });
  await expect(undo).toBeVisible();
  await page.goto("/employee/dashboard");
  await undo.click();
  const asked = page.getByRole("alertdialog");
  await asked.getByRole("button", { name: counter.undo }).click();
  // Behind the dialog nothing has a role.
  await expect(asked).toBeHidden();
  await expect(undo).toBeHidden();
  expect(await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).toMatchObject({ balance: 0 });
});

test("on a device whose clock is an hour behind, no list offers Undo for longer than the server allows it", async ({
  page,
  db,
  shop,
}) => {
  await makeCustomer(db, shop, { fullName: "Clock Guest" });
  await page.clock.install({ time: Date.now() - HOUR });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  const dialog = await openCustomer(page, "Clock Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
  await dialog.getByRole("button", { name: "Add 30 pts" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  const undo = page.getByRole("button", { name: counter.undoNamed.replace("{name}", "Clock Guest") });
  await expect(undo).toBeVisible();
  await page.clock.fastForward(HOUR / 2);
  await expect(undo).toBeHidden();
});

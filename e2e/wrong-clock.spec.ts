import type { Locator, Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import { makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { openCustomer } from "./support/till";
import { wordsOf } from "./support/words";

const { counter } = wordsOf("en");
const HOUR = 60 * 60_000;

/** Tops "Clock Guest" up on a device whose clock is this far ahead. Answers the button that undoes it. */
async function topUpAt(
  page: Page,
  db: Db,
  { worker }: { worker: Parameters<typeof signIn>[2] },
  ahead: number,
): Promise<Locator> {
  await page.clock.install({ time: Date.now() + ahead });
  await signIn(db, page, worker);
  await page.goto("/employee/topup");
  const dialog = await openCustomer(page, "Clock Guest");
  await dialog.getByLabel(counter.amount, { exact: true }).fill("30");
  await dialog.getByRole("button", { name: "Add 30 pts" }).click();
  await dialog.getByRole("button", { name: counter.next }).click();
  const undo = page.getByRole("button", { name: counter.undoNamed.replace("{name}", "Clock Guest") });
  await expect(undo).toBeVisible();
  return undo;
}

test("on a device whose clock is an hour ahead, both lists offer Undo while the server allows it", async ({
  page,
  db,
  shop,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: "Clock Guest" });
  const undo = await topUpAt(page, db, shop, HOUR);
  await page.goto("/employee/dashboard");
  await undo.click();
  const asked = page.getByRole("alertdialog");
  await expect(asked).toContainText(/Give back QAR [\d.]+ in cash/);
  await asked.getByRole("button", { name: counter.undo }).click();
  await expect(page.locator("[data-sonner-toast]")).toContainText(/Give back QAR [\d.]+ in cash/);
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
  const undo = await topUpAt(page, db, shop, -HOUR);
  await page.clock.fastForward(HOUR / 2);
  await expect(undo).toBeHidden();
});

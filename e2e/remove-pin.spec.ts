import { setPin } from "@/lib/accounts/pin";
import { contextOf, PASSWORD } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

test("an owner removes an employee's PIN from the employee's menu", async ({
  page,
  context,
  db,
  shop,
  baseURL,
}) => {
  const { workers } = wordsOf("ar");
  await context.addCookies([{ name: "locale", value: "ar", url: baseURL ?? "" }]);
  await page.setViewportSize({ width: 360, height: 780 });
  await setPin(contextOf(db, shop.worker), { password: PASSWORD, pin: "580314" });
  await signIn(db, page, shop.owner);
  await page.goto("/merchant/workers");
  const name = `${shop.worker.firstName} ${shop.worker.lastName}`;
  await page.getByRole("button", { name: workers.actionsOf.replace("{name}", name) }).click();
  await page.getByRole("menuitem", { name: workers.removePin }).click();
  const asked = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(asked.getByText(workers.removePinText)).toBeVisible();
  await asked.getByRole("button", { name: workers.removePin }).click();
  await expect(page.getByText(workers.pinRemoved.replace("{email}", shop.worker.email))).toBeVisible();
  expect(await db.workerPin.count({ where: { userId: shop.worker.id } })).toBe(0);
});

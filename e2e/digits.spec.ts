import { makeCustomer } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { arabicDigitsOn, likeSafariInEgypt } from "./support/digits";
import { holdCard } from "./support/holder";
import { openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

test.use({ locale: "ar-EG" });

// Each page as it opens: pages.spec.ts.
test("a browser of Egypt shows Latin digits in what scripts write, whatever it makes of `ar` alone", async ({
  page,
  shop,
  db,
}) => {
  await likeSafariInEgypt(page);
  const customer = await makeCustomer(db, shop);
  for (const points of [1250, 340]) await move(db, shop, customer, { points });
  await move(db, shop, customer, { type: "REDEEM", points: 75 });
  await holdCard(page.context(), db, customer.id);
  await openSettled(page, `/customer/loyalty-card/${customer.id}`);
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await expect(page.locator("body")).toContainText("1,515");
  expect(await arabicDigitsOn(page)).toEqual([]);

  await signIn(db, page, shop.owner);
  await page.goto("/merchant/transactions");
  // The ages, the days of the picker, and a counted question.
  await page.getByRole("button", { name: wordsOf("ar").list.filters }).click();
  await page.locator("[aria-haspopup=dialog].select").first().click();
  await expect(page.locator("[data-radix-popper-content-wrapper]").last()).toContainText("15");
  expect(await arabicDigitsOn(page)).toEqual([]);

  await signIn(db, page, shop.worker);
  await openSettled(page, `/topup/${customer.publicId}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1,515");
  await page.keyboard.type("٥٠");
  await expect(dialog).toContainText("50.00");
  // What was typed stays as it was typed.
  expect(await arabicDigitsOn(page)).toEqual(["٥٠"]);
});

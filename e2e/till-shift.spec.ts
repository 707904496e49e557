import { expect, signIn, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const { shiftDesk } = wordsOf("en");

test("the page of a shift that gets no answer says so and asks again", async ({ page, db, shop }) => {
  await pairBrowser(page, db, shop);
  await signIn(db, page, shop.worker);
  await page.goto("/employee/shift");
  const float = page.getByLabel(shiftDesk.float);
  await expect(float).toBeVisible();
  await page.route("**/api/tills/me", (route) => route.abort());
  await page.reload();
  await expect(page.getByText(shiftDesk.lost)).toBeVisible();
  await page.unroute("**/api/tills/me");
  await page.getByRole("button", { name: shiftDesk.again }).click();
  await expect(float).toBeVisible();
});

import { contextOf } from "@/lib/testing/factories";
import { openShift } from "@/lib/tills/run-shifts";
import { expect, signIn, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const { shiftDesk, shifts } = wordsOf("en");

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

test("a close whose answer was lost shows its report when it is sent again", async ({ page, db, shop }) => {
  const till = await pairBrowser(page, db, shop);
  const { id } = await openShift(contextOf(db, shop.owner), { tillId: till.id, float: 10_000 });
  await signIn(db, page, shop.worker);
  await page.goto("/employee/shift");
  await page.getByRole("button", { name: shiftDesk.count }).click();
  await page.getByLabel(shiftDesk.cash).fill("95");
  await page.route("**/api/shifts/*/close", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: shiftDesk.close }).click();
  await expect(page.getByText(shiftDesk.lost)).toBeVisible();
  await page.unroute("**/api/shifts/*/close");
  await page.getByRole("button", { name: shiftDesk.close }).click();
  await expect(page.getByRole("button", { name: shifts.print })).toBeVisible();
  await expect(page.getByText("−QAR 5.00")).toBeVisible();
  expect(await db.shift.findUniqueOrThrow({ where: { id } })).toMatchObject({ difference: -500n });
});

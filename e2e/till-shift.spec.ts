import { contextOf } from "@/lib/testing/factories";
import { openShift } from "@/lib/tills/run-shifts";
import { retireTill } from "@/lib/tills/tills";
import { barOf } from "./support/cashiers";
import { expect, signIn, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, shiftDesk, shifts } = wordsOf("en");

test("a shift from the page that gets no answer, over a drawer that is counted note by note or typed, to a close whose answer was lost, and the close of its owner elsewhere", async ({
  browser,
  baseURL,
  page,
  db,
  shop,
}) => {
  const till = await pairBrowser(page, db, shop);
  await signIn(db, page, shop.worker);
  await test.step("the page of a shift that gets no answer says so and asks again", async () => {
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

  await test.step("a drawer is counted note by note or typed on the pad, and its report begins with the verdict", async () => {
    await page.goto("/employee/topup");
    await barOf(page).getByRole("link", { name: atTill.openShift }).click();
    const pad = page.getByRole("group", { name: wordsOf("en").counter.pad });
    for (const key of ["2", "0", "5", ".", "5"])
      await pad.getByRole("button", { name: key, exact: true }).click();
    await expect(page.getByLabel(shiftDesk.float)).toHaveValue("205.5");
    await page.getByRole("button", { name: shiftDesk.open }).click();
    await expect(barOf(page)).toContainText("Shift since");
    await expect(barOf(page)).not.toContainText(atTill.noShift);

    await page.getByRole("button", { name: shiftDesk.count }).click();
    const cash = page.getByLabel(shiftDesk.cash);
    await page.getByRole("button", { name: shiftDesk.countNotes }).click();
    const notes = page.locator("[data-slot=notes]");
    await notes.getByLabel("Number of QAR 50", { exact: true }).fill("3");
    for (let times = 0; times < 6; times++)
      await notes.getByRole("button", { name: "One QAR 10 more" }).click();
    await notes.getByRole("button", { name: "One QAR 10 less" }).click();
    await notes.getByRole("button", { name: "One QAR 5 more" }).click();
    await expect(notes).toContainText("QAR 205.00");
    await expect(cash).toHaveValue("205");
    await cash.fill("205.50");
    await page.getByRole("button", { name: shiftDesk.close }).click();
    await expect(page.getByText(shifts.matches)).toBeVisible();
    await expect(page.getByText(shifts.openedBy)).toBeHidden();
    await page.getByText(shifts.rest).click();
    await expect(page.getByText(shifts.openedBy)).toBeVisible();
    await expect(barOf(page)).toContainText(atTill.noShift);
  });

  await test.step("a close whose answer was lost shows its report when it is sent again", async () => {
    const { id } = await openShift(contextOf(db, shop.owner), { tillId: till.id, float: 10_000 });
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
    await expect(page.getByText("QAR 5.00 short")).toBeVisible();
    expect(await db.shift.findUniqueOrThrow({ where: { id } })).toMatchObject({ difference: -500n });
  });

  await test.step("the owner of a till that is lost counts and closes its shift elsewhere, and can retire it", async () => {
    const ctx = contextOf(db, shop.owner);
    const { id } = await openShift(ctx, { tillId: till.id, float: 10_000 });
    const context = await browser.newContext({ baseURL: baseURL ?? "" });
    const office = await context.newPage();
    await signIn(db, office, shop.owner);
    await office.goto(`/merchant/shifts/${id}`);
    await office.getByRole("button", { name: shiftDesk.count }).click();
    await office.getByLabel(shiftDesk.cash).fill("0");
    await office.getByRole("button", { name: shiftDesk.close }).click();
    await expect(office.getByText("QAR 100.00 short")).toBeVisible();
    expect(await retireTill(ctx, { id: till.id })).toMatchObject({ retiredAt: expect.any(Date) });
    await context.close();
  });
});

import type { Page } from "@playwright/test";
import { setPin } from "@/lib/accounts/pin";
import { contextOf, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { openShift } from "@/lib/tills/run-shifts";
import { expect, signIn, test } from "./support/test";
import { pairBrowser } from "./support/till";
import { wordsOf } from "./support/words";

const { atTill, movements, shiftDesk } = wordsOf("en");
const PINS = { Sara: "580314", Omar: "470925" } as const;
const { pay_in: payIn, pay_out: payOut } = shiftDesk.moves;

/** The till asks who is there, as it does after its idle minutes. */
async function leaveAlone(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.setItem("till.touched", "1");
    // The page is loaded anew after a password; the one before shows the same values until then.
    Object.assign(window, { isOld: true });
  });
  await page.clock.fastForward(6_000);
  await expect(page.getByRole("dialog").filter({ hasText: atTill.title })).toBeVisible();
}

async function enter(page: Page, name: keyof typeof PINS): Promise<void> {
  await page.getByRole("button", { name: `${name} Nasser` }).click();
  await page.keyboard.type(PINS[name]);
}

test("after a password, cash in, cash out and the count keep what the same cashier typed, and another finds nothing", async ({
  page,
  shop,
  db,
}) => {
  test.slow();
  // It asks when the journey says so, however long a busy machine takes.
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { idleLockMinutes: 60 } });
  const [sara, omar] = await Promise.all(
    (["Sara", "Omar"] as const).map((firstName) => makeWorker(db, shop, { firstName, lastName: "Nasser" })),
  );
  if (!sara || !omar) throw new Error("no cashiers");
  for (const [worker, pin] of [
    [sara, PINS.Sara],
    [omar, PINS.Omar],
  ] as const)
    await setPin(contextOf(db, worker), { password: PASSWORD, pin });
  await page.clock.install();
  const till = await pairBrowser(page, db, shop);
  const { id } = await openShift(contextOf(db, shop.owner), { tillId: till.id, float: 10_000 });
  const moved = () =>
    db.drawerMove.findMany({ where: { shiftId: id }, select: { kind: true, amount: true } });
  const returnAs = async (name: keyof typeof PINS) => {
    await enter(page, name);
    await page.waitForFunction(() => !("isOld" in window));
    // A sheet that opens again by itself hides it from everybody but the eye.
    const bar = page.getByRole("region", { name: atTill.cashier, includeHidden: true });
    await expect(bar).toContainText(`${name} Nasser`);
  };
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByLabel(shiftDesk.amount);
  const openShiftPage = async () => {
    await signIn(db, page, sara);
    await page.goto("/employee/shift");
  };

  // Sent and not answered: the same request is repeated, so that the cash goes out once.
  await openShiftPage();
  await page.getByRole("button", { name: payOut.title }).click();
  await amount.fill("12.50");
  await dialog.getByLabel(shiftDesk.reason).fill("Milk");
  await page.route("**/api/shifts/*/drawer", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole("button", { name: shiftDesk.record }).click();
  await expect(dialog.getByText(shiftDesk.lost)).toBeVisible();
  await page.unroute("**/api/shifts/*/drawer");
  await leaveAlone(page);
  await returnAs("Sara");
  await expect(dialog.getByRole("heading", { name: payOut.title })).toBeVisible();
  await expect(amount).toHaveValue("12.50");
  await expect(dialog.getByLabel(shiftDesk.reason)).toHaveValue("Milk");
  await dialog.getByRole("button", { name: shiftDesk.record }).click();
  await expect(dialog).toHaveCount(0);
  expect(await moved()).toEqual([{ kind: "pay_out", amount: 1_250 }]);

  // Another cashier finds the shift alone, and the form empty.
  await openShiftPage();
  await page.getByRole("button", { name: payIn.title }).click();
  await amount.fill("70");
  await leaveAlone(page);
  await returnAs("Omar");
  await expect(page.getByRole("button", { name: payIn.title })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: payIn.title }).click();
  await expect(amount).toHaveValue("");

  await openShiftPage();
  await page.getByRole("button", { name: shiftDesk.count }).click();
  const fields = { cash: shiftDesk.cash, card: movements.tenders.card, note: shiftDesk.note };
  const values = { cash: "87.50", card: "40", note: "Two notes of 50" };
  for (const key of ["cash", "card", "note"] as const) await page.getByLabel(fields[key]).fill(values[key]);
  await leaveAlone(page);
  await returnAs("Sara");
  for (const key of ["cash", "card", "note"] as const)
    await expect(page.getByLabel(fields[key])).toHaveValue(values[key]);
  await page.getByRole("button", { name: shiftDesk.close }).click();
  await expect(page.getByText(values.note)).toBeVisible();
  const shift = await db.shift.findUniqueOrThrow({ where: { id } });
  expect(shift).toMatchObject({ closedById: sara.id, difference: 0n, note: values.note });
});

import type { Locator, Page } from "@playwright/test";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { openCustomer } from "./support/till";

// With the dots of its last letter cut off, the name would be another one: السليطى.
const NAME = "موزة السليطي";

/** The picture of a text with room for what reaches below its line. */
async function pictureOf(page: Page, text: Locator): Promise<string> {
  const box = await text.boundingBox();
  if (!box) throw new Error("not shown");
  const clip = { x: box.x - 2, y: box.y - 4, width: box.width + 4, height: box.height + 10 };
  return (await page.screenshot({ clip, animations: "disabled", caret: "hide" })).toString("base64");
}

/** The text looks as it does where nothing around it clips. */
async function expectWhole(page: Page, text: Locator): Promise<void> {
  await expect(text).toBeVisible();
  await text.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const shown = await pictureOf(page, text);
  const undo = await text.evaluateHandle((one) => {
    const before: [HTMLElement, string][] = [];
    for (let element: Element | null = one; element instanceof HTMLElement; element = element.parentElement) {
      if (element.getBoundingClientRect().height > 80) break;
      before.push([element, element.style.overflow]);
      element.style.overflow = "visible";
    }
    return () => {
      for (const [element, overflow] of before) element.style.overflow = overflow;
    };
  });
  const whole = await pictureOf(page, text);
  await undo.evaluate((back) => back());
  expect(shown === whole, `cut at ${page.url()}`).toBe(true);
}

for (const width of [360, 1280])
  test(`the dots below an Arabic name are shown on English pages, ${width} px wide`, async ({
    page,
    shop,
    db,
  }) => {
    const customer = await makeCustomer(db, shop, { fullName: NAME });
    const branchId = shop.branch.id;
    const to = { customerId: customer.id, branchId, points: 5, tender: "cash" as const };
    await topUp(contextOf(db, shop.worker), { ...to, idempotencyKey: `names-${customer.id}` });
    await page.setViewportSize({ width, height: 780 });
    await signIn(db, page, shop.worker);
    await page.goto("/employee/topup");
    await expectWhole(page, page.getByRole("listitem").getByText(NAME).first());
    const sheet = await openCustomer(page, NAME);
    await expectWhole(page, sheet.getByText(NAME));
    await page.context().clearCookies();
    await signIn(db, page, shop.owner);
    for (const path of ["/merchant/transactions", "/merchant/customers"]) {
      await page.goto(path);
      await expectWhole(page, page.getByRole("row").getByText(NAME).first());
    }
  });

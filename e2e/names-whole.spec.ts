import type { Locator, Page } from "@playwright/test";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { cutTextsOn } from "./support/cut-texts";
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
  expect(shown === whole, `cut at ${page.url()}, ${page.viewportSize()?.width} px`).toBe(true);
}

test("the dots below an Arabic name are shown on English pages, on a phone and on a desk", async ({
  page,
  shop,
  db,
}) => {
  const customer = await makeCustomer(db, shop, { fullName: NAME });
  const to = { customerId: customer.id, branchId: shop.branch.id, points: 5, tender: "cash" as const };
  await topUp(contextOf(db, shop.worker), { ...to, idempotencyKey: `names-${customer.id}` });
  const expectInEachWidth = async (text: Locator) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 780 });
      await expectWhole(page, text);
    }
  };
  await signIn(db, page, shop.worker);
  await page.goto("/employee/topup");
  await expectInEachWidth(page.getByRole("listitem").getByText(NAME).first());
  const sheet = await openCustomer(page, NAME);
  await expectInEachWidth(sheet.getByText(NAME));
  await page.context().clearCookies();
  await signIn(db, page, shop.owner);
  for (const path of ["/merchant/transactions", "/merchant/customers"]) {
    await page.goto(path);
    await expectInEachWidth(page.getByRole("row").getByText(NAME).first());
  }
});

const CUT = "overflow: hidden; text-overflow: ellipsis; white-space: nowrap; width: 60px";
const NAME_IN = (style: string, more = "") => `<p style="${style}" ${more}>Mohammed Al-Mohannadi</p>`;

/** What stands on a page, and what the walk over all pages (pages.spec.ts) says about it. */
const PARTS: [string, string, RegExp][] = [
  ["a whole text", NAME_IN(""), /^$/],
  ["an end that is cut off", NAME_IN(CUT), /^cut: "Mohammed Al-Mohannadi"/],
  ["one that a title says whole", NAME_IN(CUT, 'title="Mohammed Al-Mohannadi"'), /^$/],
  ["one of which a title says a part", NAME_IN(CUT, 'title="Mohammed"'), /^cut: /],
  ["a line that is sliced", NAME_IN("overflow: hidden; height: 9px; line-height: 40px"), /^cut: /],
  ["a second line below the end", NAME_IN("overflow: hidden; height: 20px; width: 90px"), /^cut: /],
  [
    "what can be slid into sight",
    `<div style="overflow-x: auto; width: 60px">${NAME_IN("width: 300px")}</div>`,
    /^$/,
  ],
  ["what stands out of its box", NAME_IN("white-space: nowrap; width: 60px"), /^out of its box: /],
  [
    "texts on each other",
    `<div style="position: relative">${NAME_IN("margin: 0")}<p style="position: absolute; top: 0; margin: 0">Doha</p></div>`,
    /^over each other: "(Mohammed Al-Mohannadi|Doha)" and /,
  ],
  ["a bar over the page", `${NAME_IN("margin: 0")}<p style="position: fixed; top: 0">Doha</p>`, /^$/],
  ["a text for ears alone", NAME_IN("position: absolute; overflow: hidden; width: 1px; height: 1px"), /^$/],
  ["what is not shown", NAME_IN(`${CUT}; visibility: hidden`), /^$/],
  ["a wide page", '<div style="width: 3000px">Wide</div>', /^scrolls sideways by /],
];

test("the walk finds what cannot be read whole, and nothing else", async ({ page }) => {
  for (const [what, inside, found] of PARTS) {
    await page.setContent(`<!doctype html><html lang="en"><body style="margin: 0">${inside}</body></html>`);
    expect((await cutTextsOn(page)).join("\n"), what).toMatch(found);
  }
});

import type { Locator } from "@playwright/test";
import { reverse, topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";
import { wordsOf } from "./support/words";

const words = wordsOf("en");
const LONG = "Mohammed Abdulrahman Al-Mohannadi";

/** Whether a text has less room than it takes. */
const isCut = (text: Locator) =>
  text.evaluate((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight);

/** The names of days of which a part stands outside the chart, or that there are none. */
function daysOutside(chart: Element): string[] {
  const frame = chart.getBoundingClientRect();
  const days = [...chart.querySelectorAll(".recharts-xAxis-tick-labels text")];
  if (days.length === 0) return ["no days"];
  return days.flatMap((day) => {
    const { left, right } = day.getBoundingClientRect();
    return left < frame.left || right > frame.right ? [day.textContent ?? ""] : [];
  });
}

test("the chart of the owner's home shows the whole name of its last day", async ({
  page,
  context,
  shop,
  db,
  baseURL,
}) => {
  const customer = await makeCustomer(db, shop);
  await topUp(contextOf(db, shop.worker), {
    customerId: customer.id,
    points: 200,
    branchId: shop.branch.id,
  });
  await signIn(db, page, shop.owner);
  for (const locale of ["en", "ar"]) {
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    await page.goto("/merchant/dashboard");
    for (const width of [1280, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      // It is drawn anew for each width.
      await expect
        .poll(() => page.locator("[data-slot=chart]").evaluate(daysOutside), {
          message: `${width} px (${locale})`,
        })
        .toEqual([]);
    }
  }
});

test("the export of the log stands beside its search, whatever is chosen", async ({ page, shop, db }) => {
  await signIn(db, page, shop.owner);
  for (const path of ["/merchant/transactions", "/merchant/transactions?type=REDEEM&tender=BANK_TRANSFER"]) {
    await page.goto(path);
    for (const width of [1280, 1600, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const search = await page.getByRole("searchbox").boundingBox();
      const button = await page.getByRole("link", { name: words.transactions.export }).boundingBox();
      expect(button?.y, `${path} at ${width} px`).toBe(search?.y);
    }
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });

  test("usual names are whole in the customers' list, and so is what follows two kinds in the log", async ({
    page,
    shop,
    db,
  }) => {
    const customer = await makeCustomer(db, shop, { fullName: LONG });
    const owner = contextOf(db, shop.owner);
    const { movement } = await topUp(owner, {
      customerId: customer.id,
      points: 4_500,
      branchId: shop.branch.id,
    });
    await reverse(owner, { movementId: movement.id, reason: "Wrong card" });
    await signIn(db, page, shop.owner);
    await page.goto("/merchant/customers");
    const name = page.locator("tbody").getByText(LONG, { exact: true });
    await expect(name).toBeVisible();
    expect(await isCut(name)).toBe(false);
    await page.goto("/merchant/transactions");
    const row = page.locator("tbody tr", { has: page.getByText(words.movements.reversed, { exact: true }) });
    const age = row.locator("td", { has: page.locator("time") });
    await expect(age).toBeVisible();
    expect(await isCut(age)).toBe(false);
    // A kind in a line has no surface of its own.
    const kind = row.getByText(words.movements.reversed, { exact: true });
    await expect(kind).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  });

  test("links and choices that stand alone are 44 px high for a finger", async ({ page, shop, db }) => {
    const customer = await makeCustomer(db, shop);
    await signIn(db, page, shop.owner);
    const isHit = async (target: Locator) => {
      await target.scrollIntoViewIfNeeded();
      return target.evaluate((one) => {
        const { left, width, top, height } = one.getBoundingClientRect();
        return [-21, 21].every((by) => {
          const hit = document.elementFromPoint(left + width / 2, top + height / 2 + by);
          return hit !== null && one.contains(hit);
        });
      });
    };
    await page.goto(`/merchant/customers/${customer.id}`);
    for (const name of [words.customers.back, words.customers.seeActivity]) {
      expect(await isHit(page.getByRole("link", { name, exact: true })), name).toBe(true);
    }
    await page.goto("/merchant/dashboard");
    for (const name of [words.home.periods.today, words.home.units.points]) {
      expect(await isHit(page.getByRole("link", { name, exact: true })), name).toBe(true);
    }
    await page.goto("/merchant/customers?search=nobody");
    expect(await isHit(page.getByRole("button", { name: words.list.clearSearch }))).toBe(true);
  });
});

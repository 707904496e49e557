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

/** The names of days that are partly outside the chart, or that there are none. */
function daysOutside(chart: Element): string[] {
  const frame = chart.getBoundingClientRect();
  const days = [...chart.querySelectorAll(".recharts-xAxis-tick-labels text")];
  if (days.length === 0) return ["no days"];
  return days.flatMap((day) => {
    const { left, right } = day.getBoundingClientRect();
    return left < frame.left || right > frame.right ? [day.textContent ?? ""] : [];
  });
}

/** How far apart the named days stand, in whole px, each distance once. */
function stepsOf(chart: Element): number[] {
  const middles = [...chart.querySelectorAll(".recharts-xAxis-tick-labels text")].map((day) => {
    const { left, right } = day.getBoundingClientRect();
    return (left + right) / 2;
  });
  const steps = middles.slice(1).map((middle, index) => Math.abs(middle - (middles[index] ?? 0)));
  return steps.filter((step, index) => index === 0 || Math.abs(step - (steps[0] ?? 0)) > 1.5).map(Math.round);
}

test("the charts name days at even steps, the last whole, and on a phone the latest days are in sight", async ({
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
    for (const path of ["/merchant/dashboard", "/merchant/liability?from=2026-01-01&to=2026-01-31"]) {
      await page.goto(path);
      const chart = page.locator("[data-slot=chart]");
      for (const width of [740, 1024, 1280, 1600, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const message = `${path} at ${width} px (${locale})`;
        // It is drawn anew for each width.
        await expect.poll(() => chart.evaluate(daysOutside), { message }).toEqual([]);
        await expect.poll(async () => (await chart.evaluate(stepsOf)).length, { message }).toBe(1);
      }
    }
    await page.goto("/merchant/dashboard");
    await page.setViewportSize({ width: 360, height: 640 });
    const last = page.locator(".recharts-xAxis-tick-labels text").last();
    await expect
      .poll(() => last.evaluate((day) => day.getBoundingClientRect().left > 0), { message: locale })
      .toBe(true);
    expect(await last.evaluate((day) => day.getBoundingClientRect().right)).toBeLessThan(360);
  }
});

test("a chart that has not yet measured its new place widens no page", async ({ page, shop, db }) => {
  const customer = await makeCustomer(db, shop);
  await topUp(contextOf(db, shop.owner), { customerId: customer.id, points: 70, branchId: shop.branch.id });
  await page.addInitScript(() => {
    // The first measurements arrive; those after the window became narrower do not.
    const Observer = window.ResizeObserver;
    window.ResizeObserver = class extends Observer {
      constructor(callback: ResizeObserverCallback) {
        super((entries, observer) => window.innerWidth > 1_500 && callback(entries, observer));
      }
    };
  });
  await signIn(db, page, shop.owner);
  await page.setViewportSize({ width: 1600, height: 800 });
  await page.goto("/merchant/dashboard");
  const drawn = page.locator("[data-slot=chart] svg.recharts-surface").first();
  await expect.poll(async () => (await drawn.boundingBox())?.width).toBeGreaterThan(1_000);
  await page.setViewportSize({ width: 1100, height: 800 });
  const sideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect((await drawn.boundingBox())?.width).toBeGreaterThan(1_000);
  expect(await sideways()).toBe(0);
});

test("a desk shows the page's own menu entry, 14 rows of a list 44 px each, and the export beside the search", async ({
  page,
  shop,
  db,
}) => {
  await signIn(db, page, shop.owner);
  await test.step("a menu higher than its window shows the page's own entry", async () => {
    for (const [width, height] of [
      [1024, 600],
      [800, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const path of ["/merchant/account", "/merchant/dashboard"]) {
        await page.goto(path);
        const entry = page.locator("aside [aria-current=page]");
        await expect(entry, `${path} at ${width} by ${height}`).toBeInViewport({ ratio: 0.99 });
      }
    }
  });

  await test.step("14 rows of a list, 44 px each, below its filters and totals", async () => {
    const customers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => makeCustomer(db, shop, { fullName: `${LONG} ${index}` })),
    );
    for (const { id } of customers) {
      await topUp(contextOf(db, shop.worker), { customerId: id, points: 4_500, branchId: shop.branch.id });
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    for (const path of ["/merchant/transactions", "/merchant/customers?status=active"]) {
      await page.goto(path);
      const rows = page.locator("tbody tr:not(.day)");
      await expect(rows).toHaveCount(16);
      await expect(rows.nth(13), path).toBeInViewport({ ratio: 0.95 });
      const heights = await rows.evaluateAll((all) =>
        all.map((row) => Math.round(row.getBoundingClientRect().height)),
      );
      expect(Math.max(...heights), path).toBeLessThanOrEqual(45);
    }
  });

  await test.step("the export of the log stands beside its search, whatever is chosen", async () => {
    for (const path of [
      "/merchant/transactions",
      "/merchant/transactions?type=REDEEM&tender=BANK_TRANSFER",
    ]) {
      await page.goto(path);
      for (const width of [1280, 1600, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const search = await page.getByRole("searchbox").boundingBox();
        const button = await page.getByRole("link", { name: words.transactions.export }).boundingBox();
        expect(button?.y, `${path} at ${width} px`).toBe(search?.y);
      }
    }
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });

  test("names and kinds are whole in lists and log, and what stands alone is 44 px high for a finger", async ({
    page,
    shop,
    db,
  }) => {
    await signIn(db, page, shop.owner);
    await test.step("usual names are whole in the customers' list, and so is what follows two kinds in the log", async () => {
      const customer = await makeCustomer(db, shop, { fullName: LONG });
      const owner = contextOf(db, shop.owner);
      const { movement } = await topUp(owner, {
        customerId: customer.id,
        points: 4_500,
        branchId: shop.branch.id,
      });
      await reverse(owner, { movementId: movement.id, reason: "Wrong card" });
      await page.goto("/merchant/customers");
      const name = page.locator("tbody").getByText(LONG, { exact: true });
      await expect(name).toBeVisible();
      expect(await isCut(name)).toBe(false);
      await page.goto("/merchant/transactions");
      const row = page.locator("tbody tr", {
        has: page.getByText(words.movements.reversed, { exact: true }),
      });
      const age = row.locator("td", { has: page.locator("time") });
      await expect(age).toBeVisible();
      expect(await isCut(age)).toBe(false);
      // A kind in a line has no surface of its own.
      const kind = row.getByText(words.movements.reversed, { exact: true });
      await expect(kind).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    });

    await test.step("links and choices that stand alone are 44 px high for a finger", async () => {
      const customer = await makeCustomer(db, shop);
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
      expect(await isHit(page.getByRole("link", { name: words.home.units.points, exact: true }))).toBe(true);
      expect(await isHit(page.getByRole("combobox", { name: words.home.period }))).toBe(true);
      await page.goto("/merchant/customers?search=nobody");
      expect(await isHit(page.getByRole("button", { name: words.list.clearSearch }))).toBe(true);
    });
  });
});

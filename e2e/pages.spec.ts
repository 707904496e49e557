import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type PageIds, pagesFor, type Visitor } from "./support/pages";
import { expect, signIn, test } from "./support/test";

const VISITORS: Visitor[] = ["nobody", "pending", "super_admin", "admin", "merchant_owner", "branch_worker"];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds, a line each: the rule and the first places. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
  );
}

async function look(page: Page, path: string, locale: Locale): Promise<string[]> {
  const problems: string[] = [];
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(path, { waitUntil: "networkidle" });
  const where = `${path} (${locale})`;
  const sideways = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
  if (sideways > 0) problems.push(`${where} scrolls sideways by ${sideways} px at 360`);
  problems.push(...(await violations(page)).map((line) => `${where} at 360: ${line}`));
  await page.setViewportSize({ width: 1280, height: 860 });
  problems.push(...(await violations(page)).map((line) => `${where} at 1280: ${line}`));
  return problems;
}

for (const visitor of VISITORS) {
  for (const locale of LOCALES) {
    test(`every page of ${visitor} is within everyone's reach (${locale})`, async ({
      page,
      context,
      db,
      shop,
      baseURL,
    }) => {
      test.slow();
      const card = await makeCustomer(db, shop, { fullName: "ليلى حداد" });
      const receipt = await topUp(contextOf(db, shop.worker), {
        customerId: card.id,
        points: 350,
        branchId: shop.branch.id,
      });
      const ids: PageIds = {
        merchant: shop.merchant.id,
        customer: card.id,
        publicId: card.publicId,
        movement: receipt.movement.id,
      };
      await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme: locale === "ar" ? "dark" : "light" });
      if (visitor === "pending") await signIn(page, (await makeMerchant(db, { status: "pending" })).owner);
      else if (visitor === "merchant_owner") await signIn(page, shop.owner);
      else if (visitor === "branch_worker") await signIn(page, shop.worker);
      else if (visitor !== "nobody") await signIn(page, await makeAdmin(db, { role: visitor }));
      const problems: string[] = [];
      for (const path of pagesFor(visitor, ids)) problems.push(...(await look(page, path, locale)));
      expect(problems).toEqual([]);
    });
  }
}

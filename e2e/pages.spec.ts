import type { Page } from "@playwright/test";
import type { Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import { LOCALES, type Locale } from "@/lib/domain/roles";
import { topUp } from "@/lib/ledger/move-points";
import {
  contextOf,
  type MerchantFixture,
  makeAdmin,
  makeCustomer,
  makeMerchant,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { contextAt, makeTill } from "@/lib/testing/tills";
import { closeShift, moveDrawer, openShift } from "@/lib/tills/run-shifts";
import { violationsOn } from "./support/accessible";
import { arabicDigitsOn, likeSafariInEgypt } from "./support/digits";
import { type PageIds, pagesFor, type Visitor } from "./support/pages";
import { openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";

const VISITORS: Visitor[] = [
  "anonymous",
  "pending",
  "super_admin",
  "admin",
  "merchant_owner",
  "branch_worker",
];
/** Looks for sideways scrolling at both widths, and with axe at one of them: wide in English, narrow in Arabic. */
async function problemsOf(page: Page, path: string, locale: Locale): Promise<string[]> {
  const problems: string[] = [];
  const look = async (size: { width: number; height: number }, withAxe: boolean) => {
    const where = `${path} (${locale}) at ${size.width}`;
    const overflow = await page.evaluate(() => {
      const root = document.documentElement;
      return root.scrollWidth - root.clientWidth;
    });
    if (overflow > 0) problems.push(`${where} scrolls sideways by ${overflow} px`);
    if (withAxe) problems.push(...(await violationsOn(page)).map((line) => `${where}: ${line}`));
  };
  const [narrow, wide] = [
    { width: 360, height: 780 },
    { width: 1280, height: 860 },
  ];
  await page.setViewportSize(narrow);
  await openSettled(page, path);
  if (locale === "ar") {
    problems.push(...(await arabicDigitsOn(page)).map((text) => `${path} has Arabic-Indic digits: ${text}`));
  }
  await look(narrow, locale === "ar");
  await page.setViewportSize(wide);
  await look(wide, locale === "en");
  return problems;
}

async function userOf(visitor: Visitor, db: Db, shop: MerchantFixture & { worker: User }) {
  if (visitor === "anonymous") return null;
  if (visitor === "pending") return (await makeMerchant(db, { status: "pending" })).owner;
  if (visitor === "merchant_owner") return shop.owner;
  if (visitor === "branch_worker") return shop.worker;
  return await makeAdmin(db, { role: visitor });
}

/** A till's shift that its worker closed with a little too much in the drawer. */
async function closedShift(db: Db, shop: MerchantFixture & { worker: User }): Promise<string> {
  const at = await makeTill(db, shop);
  const ctx = contextAt(db, shop.worker, at);
  const { id } = await openShift(ctx, { tillId: at.till.id, float: 20_000 });
  await moveDrawer(ctx, { id, kind: "pay_out", amount: 1_550, reason: "Milk" });
  await closeShift(ctx, { id, counted: { cash: 18_500 } });
  return id;
}

for (const locale of LOCALES) {
  test.describe(() => {
    test.use({ locale: locale === "ar" ? "ar-EG" : "en-GB" });
    for (const visitor of VISITORS) {
      test(`every page of ${visitor} passes the accessibility checks (${locale})`, async ({
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
          points: 1350,
          branchId: shop.branch.id,
        });
        await move(db, shop, card, { type: "REDEEM", points: 75 });
        const ids: PageIds = {
          merchant: shop.merchant.id,
          customer: card.id,
          publicId: card.publicId,
          movement: receipt.movement.id,
          shift: await closedShift(db, shop),
        };
        await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
        await page.emulateMedia({ reducedMotion: "reduce", colorScheme: locale === "ar" ? "dark" : "light" });
        const user = await userOf(visitor, db, shop);
        if (user) await signIn(db, page, user);
        if (locale === "ar") await likeSafariInEgypt(page);
        const problems: string[] = [];
        for (const path of pagesFor(visitor, ids)) problems.push(...(await problemsOf(page, path, locale)));
        expect(problems).toEqual([]);
      });
    }
  });
}

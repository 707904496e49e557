import { randomBytes } from "node:crypto";
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
  makeWorker,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { contextAt, makeTill } from "@/lib/testing/tills";
import { closeShift, moveDrawer, openShift } from "@/lib/tills/run-shifts";
import { keepOneOfEachShape, violationsOn } from "./support/accessible";
import { cutTextsOn } from "./support/cut-texts";
import { arabicDigitsOn, likeSafariInEgypt } from "./support/digits";
import { type PageIds, pagesFor, type Visitor } from "./support/pages";
import { drawn, openSettled } from "./support/settled";
import { expect, signIn, test } from "./support/test";

/** Who walks one after the other in one journey. Whoever has most of a page comes first. */
const WALKS: Visitor[][] = [
  ["anonymous"],
  ["super_admin"],
  ["merchant_owner"],
  ["admin", "branch_worker", "pending"],
];
const VISITORS = WALKS.flat();
type Shop = MerchantFixture & { worker: User };
/** In which language each width is looked at. Layout ends and begins at 768 and 1024; English has the longer words. */
const SIZES: { width: number; height: number; only?: Locale }[] = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768, only: "en" },
  { width: 1280, height: 860 },
];
/** Axe looks at each kind of page once: wide in English, narrow in Arabic. */
const AXE_WIDTH: Record<Locale, number> = { en: 1280, ar: 360 };
/** These pages have one component for all roles, so that they are of one kind. */
const SHARED =
  /^\/(?:admin|merchant|employee)(?=\/(?:activity|customers|ledger|liability|notices|redeem|topup|transactions|workers)\b)/;

/** An administrator may not top up, so that the page of a link is another one. */
const kindOf = (path: string, visitor: Visitor) =>
  path.startsWith("/topup/") && visitor === "admin" ? `no ${path}` : path.replace(SHARED, "");

/** Whether no visitor before this one sees a page of this kind. */
function isFirstOfKind(path: string, visitor: Visitor, ids: PageIds): boolean {
  const before = VISITORS.slice(0, VISITORS.indexOf(visitor));
  const kind = kindOf(path, visitor);
  return !before.some((one) => pagesFor(one, ids).some((other) => kindOf(other, one) === kind));
}

/**
 * Opens a page once and looks at it in each width of the language: for texts that are not whole, and once with axe if
 * `withAxe`, but for what `known` selects.
 */
async function problemsOf(
  page: Page,
  path: string,
  locale: Locale,
  { withAxe, known }: { withAxe: boolean; known: string[] },
): Promise<string[]> {
  const problems: string[] = [];
  await page.setViewportSize(SIZES[0] as (typeof SIZES)[0]);
  await openSettled(page, path);
  if (locale === "ar") {
    problems.push(...(await arabicDigitsOn(page)).map((text) => `${path} has Arabic-Indic digits: ${text}`));
  }
  for (const { only, ...size } of SIZES) {
    if (only && only !== locale) continue;
    await page.setViewportSize(size);
    await page.evaluate(drawn);
    const found = await cutTextsOn(page);
    if (withAxe && AXE_WIDTH[locale] === size.width) {
      // The reference of the API has hundreds of calls, which are drawn alike.
      if (path === "/docs") await keepOneOfEachShape(page, "details, #errors dl > div");
      found.push(...(await violationsOn(page, { without: known })));
    }
    problems.push(...found.map((line) => `${path} (${locale}) at ${size.width}: ${line}`));
  }
  return problems;
}

/** A shop whose names are as long as such names are, with a worker and a customer who has paid much. */
async function makeLongShop(db: Db) {
  const name = { firstName: "Mohammed Abdulrahman", lastName: "Al-Mohannadi" };
  const shop = await makeMerchant(db, {
    ...name,
    businessName: `Al Mohannadi Traditional Karak House ${randomBytes(2).toString("hex")}`,
    businessNameAr: "بيت المهندي التقليدي للكرك والمخبوزات الطازجة",
  });
  const branch = await db.branch.update({
    where: { id: shop.branch.id },
    data: { name: "The Pearl, Porto Arabia Marina Way", city: "Al Daayen" },
  });
  await db.user.update({ where: { id: shop.owner.id }, data: name });
  const worker = await makeWorker(db, shop, { firstName: "Abdulrahman Yousef", lastName: "Al-Sulaiti" });
  return { ...shop, branch, worker };
}

async function userOf(visitor: Visitor, db: Db, shop: Shop) {
  if (visitor === "anonymous") return null;
  if (visitor === "pending") return (await makeMerchant(db, { status: "pending" })).owner;
  if (visitor === "merchant_owner") return shop.owner;
  if (visitor === "branch_worker") return shop.worker;
  return await makeAdmin(db, { role: visitor });
}

/** A till's shift that its worker closed with a little too much in the drawer. */
async function closedShift(db: Db, shop: Shop): Promise<string> {
  const at = await makeTill(db, shop);
  const ctx = contextAt(db, shop.worker, at);
  const { id } = await openShift(ctx, { tillId: at.till.id, float: 20_000 });
  await moveDrawer(ctx, { id, kind: "pay_out", amount: 1_550, reason: "Milk" });
  await closeShift(ctx, { id, counted: { cash: 18_500 } });
  return id;
}

/** The ids of a card that has paid three times and redeemed once, and of what belongs to it. */
async function makeCard(db: Db, shop: Shop, locale: Locale): Promise<PageIds> {
  const card = await makeCustomer(db, shop, {
    fullName:
      locale === "ar" ? "محمد عبد الرحمن يوسف آل ثاني المهندي" : "Mohammed Abdulrahman Yousef Al-Mohannadi",
    email: `mohammed.abdulrahman.${randomBytes(6).toString("hex")}@mohannadi-group.example`,
  });
  const receipt = await topUp(contextOf(db, shop.worker), {
    customerId: card.id,
    points: 4_850,
    branchId: shop.branch.id,
    tender: "bank",
    saleRef: "B-2026-11-24/004511",
  });
  for (const points of [4_900, 5_000]) await move(db, shop, card, { points, tender: "online" });
  await move(db, shop, card, { type: "REDEEM", points: 1_075 });
  return {
    merchant: shop.merchant.id,
    customer: card.id,
    publicId: card.publicId,
    movement: receipt.movement.id,
    shift: await closedShift(db, shop),
  };
}

for (const locale of LOCALES) {
  // In English every role opens every page of its own. In Arabic each kind of page is opened once, and each role's first.
  const pages = locale === "en" ? "every page" : "each kind of page";
  test.describe(() => {
    test.use({ locale: locale === "ar" ? "ar-EG" : "en-GB" });
    for (const walk of WALKS) {
      test(`${pages} of ${walk.join(", ")} is whole in all widths and passes the accessibility checks (${locale})`, async ({
        page,
        context,
        db,
        baseURL,
      }) => {
        test.slow();
        const shop = await makeLongShop(db);
        const ids = await makeCard(db, shop, locale);
        await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
        await page.emulateMedia({ reducedMotion: "reduce", colorScheme: locale === "ar" ? "dark" : "light" });
        if (locale === "ar") await likeSafariInEgypt(page);
        const problems: string[] = [];
        for (const visitor of walk) {
          const user = await userOf(visitor, db, shop);
          if (user) await signIn(db, page, user);
          for (const [index, path] of pagesFor(visitor, ids).entries()) {
            const withAxe = isFirstOfKind(path, visitor, ids);
            if (locale === "ar" && !withAxe && index > 0) continue;
            // The sidebar is the same beside every page of a role: axe has seen it beside the first.
            const known = index > 0 && user ? ["aside"] : [];
            problems.push(...(await problemsOf(page, path, locale, { withAxe, known })));
          }
        }
        expect(problems).toEqual([]);
      });
    }
  });
}

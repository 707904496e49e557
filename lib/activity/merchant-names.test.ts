import { expect, test } from "vitest";
import { activityText } from "@/lib/i18n/activity";
import { suspendMerchant } from "@/lib/merchants/decide-merchant";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeMerchant,
  makeWorker,
  randomPhone,
  uniqueEmail,
} from "@/lib/testing/factories";
import type { Activity } from "./model";
import { activityOptions, listActivity } from "./read-activity";

const db = await testDb();

test("a sentence about a merchant names it in the reader's language", async () => {
  const { merchant, owner } = await makeMerchant(db, {
    businessName: "Karak Corner",
    businessNameAr: "ركن الكرك",
  });
  const reason = "Receipts are missing.";
  await suspendMerchant(contextOf(db, await makeAdmin(db)), { id: merchant.id, suspended: true, reason });
  const { results } = await listActivity(contextOf(db, owner), { limit: 1 });
  const said = (locale: "en" | "ar") =>
    activityText(locale, results[0] as Activity).replace(/[\u2068\u2069]/g, "");
  expect(said("en")).toBe("An administrator suspended merchant Karak Corner: Receipts are missing.");
  expect(said("ar")).toContain("المتجر ركن الكرك");
});

test("the filters offer the chosen merchant and the first people by name, however many there are", async () => {
  const others = Array.from({ length: 500 }, (_, nth) => ({
    businessName: `Aaa ${nth}`,
    firstName: "Noor",
    lastName: "Haddad",
    email: uniqueEmail("shop"),
    phone: randomPhone(),
    status: "approved" as const,
  }));
  await db.merchant.createMany({ data: others });
  const shop = await makeMerchant(db, { businessName: "Zzz", status: "rejected" });
  const admin = contextOf(db, await makeAdmin(db));
  const chosen = await activityOptions(admin, { merchantId: shop.merchant.id });
  expect(chosen.merchants).toContainEqual({ id: shop.merchant.id, name: "Zzz" });
  const data = Array.from({ length: 500 }, (_, nth) => ({
    merchantId: shop.merchant.id,
    role: "branch_worker" as const,
    firstName: `Worker ${nth}`,
    lastName: "Haddad",
    email: uniqueEmail("worker"),
    phone: randomPhone(),
  }));
  await db.user.createMany({ data });
  await makeWorker(db, shop, { firstName: "Aisha" });
  const { people } = await activityOptions(admin, { merchantId: shop.merchant.id });
  expect(people[0]?.name).toBe("Aisha Haddad");
});

import { expect, test } from "vitest";
import { activityText } from "@/lib/i18n/activity";
import { suspendMerchant } from "@/lib/merchants/decide-merchant";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant } from "@/lib/testing/factories";
import type { Activity } from "./model";
import { listActivity } from "./read-activity";

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

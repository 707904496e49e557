import { expect, test } from "vitest";
import { editCustomer } from "@/lib/customers/edit-customer";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { listActivity } from "./read-activity";

const db = await testDb();

test("what was done with the card of a deleted customer says so in place of a name", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  await editCustomer(ctx, { customerId: customer.id, status: "blocked" });
  const gone = { email: null, phone: null, dateOfBirth: null, erasedAt: new Date(), fullName: "–" } as const;
  await db.customer.update({ where: { id: customer.id }, data: { ...gone, status: "erased" } });
  const { results } = await listActivity(ctx, { limit: 25 });
  const [entry] = results.filter(({ entity }) => entity === "customer");
  if (!entry) throw new Error("no entry");
  expect(activityText("en", entry)).toContain("a deleted customer");
  expect(activityText("ar", entry)).toContain("عميل محذوف");
  expect(`${activityText("en", entry)} ${activityActor("en", entry)}`).not.toContain("–");
});

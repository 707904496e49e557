import { expect, test } from "vitest";
import { addDays, qatarDay } from "@/lib/domain/time";
import { sealMovements } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postRow } from "@/lib/testing/post-rows";
import { mailSeals } from "./mail-seals";
import { hexGroups } from "./model/ledger-check";

const db = await testDb();

test("the owner gets each day's head once, in the own language; a day without seals brings none", async () => {
  const shop = await makeMerchant(db);
  await makeMerchant(db);
  await db.user.update({ where: { id: shop.owner.id }, data: { locale: "ar" } });
  const customer = (await makeCustomer(db, shop)).id;
  for (const points of [10, 20, 30]) {
    await postRow(db, shop, { type: "TOP_UP", customer, points });
    if (points !== 20) await waitForOpenTransactions(db);
    if (points !== 20) await sealMovements(db);
  }
  const today = qatarDay(new Date());
  const counts = await Promise.all([mailSeals(db, today), mailSeals(db, today)]);
  expect(Math.max(...counts)).toBe(1);
  expect(await mailSeals(db, today)).toBe(0);
  expect(await mailSeals(db, addDays(today, -1))).toBe(0);
  const mails = await db.email.findMany({ where: { recipient: shop.owner.email } });
  const last = await db.seal.findFirstOrThrow({
    where: { merchantId: shop.merchant.id },
    orderBy: { n: "desc" },
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]?.locale).toBe("ar");
  expect(mails[0]?.text).toContain(hexGroups(Buffer.from(last.head).toString("hex")));
  expect(mails[0]?.text).toMatch(/: 3\n/);
  expect(await db.email.count()).toBe(1);
});

import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";

const db = await testDb();
const LEDGER = [
  ...["movements", "proof_uses", "daily_sums", "merchant_days", "points_configs", "customers", "branches"],
];

test("no foreign key of the ledger deletes or empties anything", async () => {
  const keys = await db.$queryRaw<{ name: string; action: string; valid: boolean }[]>`
    select conname as name, confdeltype::text as action, convalidated as valid
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any (${LEDGER})`;
  expect(keys.length).toBeGreaterThan(10);
  // r is RESTRICT, a NO ACTION.
  expect(keys.filter(({ action, valid }) => !["r", "a"].includes(action) || !valid)).toEqual([]);
  // A movement's merchant is that of its customer: one key holds both.
  expect(keys.map(({ name }) => name)).not.toContain("movements_merchant_id_fkey");
  expect(keys.map(({ name }) => name)).toContain("movements_customer_id_merchant_id_fkey");
});

test("a merchant's override never becomes the platform's", async () => {
  const { merchant, owner, branch } = await makeMerchant(db);
  const rules = { dirhamsPerPoint: 50, minTopUp: 1, maxTopUp: 5, maxBalance: 10, undoMinutes: 1, version: 1 };
  await db.pointsConfig.create({ data: { ...rules, merchantId: merchant.id } });
  await db.user.delete({ where: { id: owner.id } });
  await db.branch.delete({ where: { id: branch.id } });
  await expect(db.merchant.delete({ where: { id: merchant.id } })).rejects.toMatchObject({ code: "P2003" });
  expect(await db.pointsConfig.count({ where: { merchantId: null, dirhamsPerPoint: 50 } })).toBe(0);
});

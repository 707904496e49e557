import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";

const db = await testDb();
/** Everything that says what a balance is made of, where it was posted, or what was signed and sealed about it. */
const LEDGER = [
  ...[
    "movements",
    "movement_texts",
    "lots",
    "lot_moves",
    "holds",
    "hold_lots",
    "proof_uses",
    "answered_keys",
    "freeze_uses",
  ],
  ...["seals", "seal_mails", "ledger_checks", "points_configs", "config_seals", "receipt_prints"],
  ...["daily_sums", "staff_sums", "pocket_days", "merchant_days", "worker_days"],
  ...["tills", "till_former_keys", "shifts", "shift_counters", "drawer_moves", "offline_entries"],
  ...["customers", "branches", "audits", "audit_texts"],
];

test("no foreign key of the ledger deletes or empties anything", async () => {
  const keys = await db.$queryRaw<{ name: string; table: string; action: string; valid: boolean }[]>`
    select conname as name, conrelid::regclass::text as table, confdeltype::text as action, convalidated as valid
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any (${LEDGER})`;
  expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(LEDGER));
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

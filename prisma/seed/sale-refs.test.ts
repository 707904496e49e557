import { expect, test } from "vitest";
import { findRedemptions } from "@/lib/ledger/read-movements";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin } from "@/lib/testing/factories";
import { seedLarge } from "./large";

const db = await testDb();

test("a redemption's bill number is found by an index, for one merchant and for all merchants", async () => {
  await seedLarge(db, { merchants: 100, customers: 1_000, movements: 20_000, days: 60 });
  const { saleRef, merchantId } = await db.movement.findFirstOrThrow({
    where: { type: "REDEEM", saleRef: { not: null } },
  });
  const owner = await db.user.findFirstOrThrow({ where: { merchantId, role: "merchant_owner" } });
  for (const user of [await makeAdmin(db), owner]) {
    for (const wanted of [saleRef ?? "", "no such bill", "9"]) {
      const watched = explainStatements(db);
      const found = await findRedemptions({ ...contextOf(db, user), db: watched.db }, { saleRef: wanted });
      expect(found.length > 0).toBe(wanted === saleRef);
      for (const { sql, readMovements } of watched.statements) expect(readMovements, sql).toBeLessThan(10);
    }
  }
});

import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { changedTables, snapshotOf } from "./snapshot";

const db = await testDb();

test("a movement posted beside an open transaction is counted before the first snapshot, not between two", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  // An open transaction with a number keeps the transaction horizon below what is posted beside it.
  const { first } = await db.$transaction(
    async (other) => {
      await other.$queryRaw`select pg_current_xact_id()::text`;
      await move(db, shop, customer, { points: 50 });
      let isTaken = false;
      const taking = snapshotOf(db).finally(() => {
        isTaken = true;
      });
      const isCounting = async () => {
        const [row] = await db.$queryRaw<
          { left: number }[]
        >`select count(*)::int as left from posting_outbox`;
        return isTaken || row?.left === 0;
      };
      await expect.poll(isCounting).toBe(true);
      return { first: taking };
    },
    { timeout: 180_000 },
  );
  const before = await first;
  expect(changedTables(before, await snapshotOf(db))).toEqual([]);
});

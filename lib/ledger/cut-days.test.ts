import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { shopWithTill } from "@/lib/testing/shop-with-till";
import { countIsBlind } from "@/lib/tills/read-shifts";
import { closeShift, openShift } from "@/lib/tills/run-shifts";
import { topUp } from "./move-points";
import { cutDaysOf } from "./movement-totals";
import { listMovements } from "./read-movements";

const db = await testDb();

test("before the count no day of a worker's log has a sum of money, whether the page has all of it or a part", async () => {
  const { at, place, ctx } = await shopWithTill(db);
  const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
  await topUp(ctx, { ...place, points: 100 });
  await topUp(ctx, { ...place, points: 40 });
  const days = async (limit: number) => {
    const page = await listMovements(ctx, { limit });
    return Object.values(await cutDaysOf(ctx, { limit }, page, await countIsBlind(ctx, {})));
  };
  expect([await days(1), await days(25)]).toEqual([[null], [null]]);
  await closeShift(ctx, { id, counted: { cash: 14_000 } });
  // The page adds up a whole day itself.
  expect([await days(1), await days(25)]).toEqual([["140.00"], []]);
});

import { expect, test } from "vitest";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { redeem, reverse, topUp } from "./move-points";
import { movementTotals } from "./movement-totals";

const db = await testDb();

test("the log's totals have the gross beside the net, from the sums of days and from movements alike", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(ctx, { ...at, points: 300 });
  const wrong = await topUp(ctx, { ...at, points: 40 });
  const spent = await redeem(ctx, { ...at, points: 30 });
  await reverse(ctx, { movementId: wrong.movement.id, reason: "twice" });
  await reverse(ctx, { movementId: spent.movement.id, reason: "twice" });
  const { rate } = wrong.movement;
  const qar = (points: number) => ((points * rate) / 100).toFixed(2);
  const expected = {
    toppedUp: 300,
    redeemed: 0,
    gross: { toppedUp: 340, redeemed: 30, value: { toppedUp: qar(340), redeemed: qar(30) } },
  };
  for (const summed of [false, true]) {
    if (summed) {
      await waitForOpenTransactions(db);
      await fillDailySums(db);
    }
    expect(await movementTotals(ctx, {})).toMatchObject(expected);
    expect(await movementTotals(ctx, { customerId: customer.id })).toMatchObject(expected);
    expect(await movementTotals(ctx, { search: customer.fullName })).toMatchObject(expected);
    expect(await movementTotals(ctx, { type: "TOP_UP" })).toMatchObject({
      toppedUp: 300,
      gross: { toppedUp: 340, redeemed: 0 },
    });
    expect(await movementTotals(ctx, { type: "REVERSAL" })).toMatchObject({ count: 2, gross: null });
  }
});

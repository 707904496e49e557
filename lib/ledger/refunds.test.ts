import { expect, test } from "vitest";
import { DAY, makeCounter, refused } from "@/lib/testing/counter";
import { testDb } from "@/lib/testing/database";
import { refund, reverse } from "./move-points";

const db = await testDb();
const counter = (settings: Parameters<typeof makeCounter>[1] = {}) => makeCounter(db, settings);

test("nothing is given back for a point that was worth more then; a reversal's balance has today's value", async () => {
  const { give, take, owner, override } = await counter();
  await override({ dirhamsPerPoint: 150 });
  await give(100);
  const [dear, other] = [await take(50), await take(10)];
  await override({ dirhamsPerPoint: 120 }, 2);
  for (const run of [reverse, refund]) {
    await expect(run(owner, { movementId: dear.movement.id, reason: "x" })).rejects.toEqual(
      refused("value_lowered"),
    );
  }
  await override({ dirhamsPerPoint: 200 }, 3);
  const back = await reverse(owner, { movementId: other.movement.id, reason: "x" });
  expect(back.movement).toMatchObject({ rate: 150, balanceRate: 200 });
});

test("a worker refunds within the merchant's days, and it counts in the daily limit", async () => {
  const { give, take, ctx, shop, later, override } = await counter();
  await override({ workerDailyCap: 120 });
  await give(100);
  const spent = await take(60);
  const back = (points: number) => refund(ctx, { movementId: spent.movement.id, points, reason: "Returned" });
  await expect(back(5)).rejects.toEqual(refused("forbidden"));
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { refundDays: 2 } });
  await back(15);
  await expect(back(6)).rejects.toEqual(refused("daily_cap", { limit: 120, balance: 55 }));
  later(2 * DAY + 1);
  await expect(back(6)).rejects.toEqual(refused("refund_expired"));
});

test("nobody reverses, refunds or gives a bonus on their own card", async () => {
  const { give, take, owner, customer, shop, bonus } = await counter();
  await give(50);
  const spent = await take(5);
  await db.customer.update({ where: { id: customer.id }, data: { phone: shop.owner.phone } });
  const what = { movementId: spent.movement.id, reason: "x" };
  for (const run of [() => reverse(owner, what), () => refund(owner, what), () => bonus(5)]) {
    await expect(run()).rejects.toEqual(refused("own_card"));
  }
});

test("fifty refunds at once give back what was redeemed, and no point more", async () => {
  const { give, take, owner, card, bonus } = await counter();
  await give(20);
  await bonus(30);
  const spent = await take(45);
  const settled = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      refund(owner, { movementId: spent.movement.id, points: 2, reason: "x" }),
    ),
  );
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(22);
  await refund(owner, { movementId: spent.movement.id, reason: "the rest" });
  expect(await card()).toMatchObject({ balance: 50, bonus: 30, lots: [{ remaining: 30 }] });
});

import { expect, test } from "vitest";
import type { Prisma } from "@/lib/db/generated/client";
import { qatarDay } from "@/lib/domain/time";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { giveBonus, redeem, refund, reverse, topUp } from "./move-points";

const db = await testDb();
const DAY = 86_400_000;
const NOON = new Date("2026-07-15T09:00:00Z");
const refused = (code: string, params?: object) =>
  expect.objectContaining({ name: "DomainError", code, ...(params ? { params } : {}) });

async function counter(settings: Partial<Prisma.MerchantUncheckedCreateInput> = {}) {
  const shop = await makeMerchant(db, { redeemAllowance: 10_000, ...settings });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  let now = NOON;
  const clock = () => now;
  const [ctx, owner] = [contextOf(db, worker, { clock }), contextOf(db, shop.owner, { clock })];
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const give = (points: number, more = {}) => topUp(ctx, { ...at, points, ...more });
  const take = (points: number, more = {}) => redeem(ctx, { ...at, points, ...more });
  const bonus = (points: number, endsOn?: string, more = {}) =>
    giveBonus(owner, { ...at, points, endsOn, reason: "A gift", ...more });
  const card = () =>
    db.customer.findUniqueOrThrow({
      where: { id: customer.id },
      include: { lots: { orderBy: { id: "asc" } } },
    });
  const override = (rules: Partial<Prisma.PointsConfigUncheckedCreateInput>, version = 1) =>
    db.pointsConfig.create({
      data: {
        merchantId: shop.merchant.id,
        version,
        ...{ dirhamsPerPoint: 100, minTopUp: 1, maxTopUp: 5000, maxBalance: 20000, undoMinutes: 15 },
        ...rules,
      },
    });
  return { shop, worker, customer, ctx, owner, at, later, give, take, bonus, card, override };
}

test("top up by card, give a bonus, redeem of both, refund a part, undo: each pocket to the point", async () => {
  const { give, take, bonus, card, owner } = await counter();
  const paid = await give(100, { tender: "card", saleRef: "Bill 71" });
  expect(paid.movement).toMatchObject({
    tender: "card",
    saleRef: "Bill 71",
    paidPoints: 100,
    bonusPoints: 0,
  });
  const gift = await bonus(20, "2026-07-17");
  expect(gift.movement).toMatchObject({
    type: "BONUS",
    points: 20,
    bonusPoints: 20,
    balanceAfter: 120,
    reason: "A gift",
  });
  const spent = await take(30, { saleRef: "Bill 72" });
  expect(spent.movement).toMatchObject({
    points: -30,
    bonusPoints: -20,
    paidPoints: -10,
    balanceAfter: 90,
    bonusAfter: 0,
  });
  const back = await refund(owner, { movementId: spent.movement.id, points: 15, reason: "Returned" });
  expect(back.movement).toMatchObject({
    type: "REFUND",
    paidPoints: 10,
    bonusPoints: 5,
    refundsId: spent.movement.id,
  });
  await expect(
    refund(owner, { movementId: spent.movement.id, points: 16, reason: "Returned" }),
  ).rejects.toEqual(refused("refund_exceeded", { limit: 15, balance: 105 }));
  await expect(reverse(owner, { movementId: spent.movement.id, reason: "Wrong" })).rejects.toEqual(
    refused("refunded"),
  );
  expect(await card()).toMatchObject({ balance: 105, bonus: 5, lots: [{ remaining: 5 }] });
  await reverse(owner, { movementId: back.movement.id, reason: "Wrong" });
  const undone = await reverse(owner, { movementId: spent.movement.id, reason: "Wrong" });
  expect(undone.movement).toMatchObject({
    paidPoints: 10,
    bonusPoints: 20,
    balanceAfter: 120,
    bonusAfter: 20,
  });
  await expect(refund(owner, { movementId: spent.movement.id, reason: "x" })).rejects.toEqual(
    refused("already_reversed"),
  );
  await expect(refund(owner, { movementId: paid.movement.id, reason: "x" })).rejects.toEqual(
    refused("not_refundable"),
  );
  expect(await card()).toMatchObject({ balance: 120, bonus: 20, lots: [{ remaining: 20, extended: false }] });
});

test("the lot that ends soonest goes first; what ended is taken before anything else is decided", async () => {
  const { give, take, bonus, card, later } = await counter();
  await give(10);
  await bonus(40);
  await bonus(30, "2026-07-20");
  await bonus(20, qatarDay(NOON));
  await take(25);
  expect((await card()).lots.map(({ remaining }) => remaining)).toEqual([40, 25, 0]);
  later(6 * DAY);
  await expect(take(51)).rejects.toEqual(refused("insufficient_balance", { balance: 50 }));
  const movements = await db.movement.findMany({
    where: { type: "EXPIRY", customer: { is: { id: (await card()).id } } },
  });
  expect(movements).toMatchObject([
    { points: -25, bonusPoints: -25, actorType: "system", branchId: null, actorId: null },
  ]);
  expect(movements[0]?.occurredAt).toEqual(new Date("2026-07-20T21:00:00Z"));
  expect((await take(50)).movement).toMatchObject({ paidPoints: -10, bonusPoints: -40, balanceAfter: 0 });
});

test("what is restored to a lot that ended lives seven days more, once, that part only", async () => {
  const { take, bonus, card, later, owner } = await counter();
  await bonus(50, qatarDay(NOON));
  const first = await take(10);
  const second = await take(15);
  later(2 * DAY);
  await reverse(owner, { movementId: first.movement.id, reason: "Wrong" });
  expect(await card()).toMatchObject({ balance: 10, bonus: 10, lots: [{ remaining: 10, extended: true }] });
  later(7 * DAY - 1000);
  expect((await take(1)).movement.balanceAfter).toBe(9);
  later(2000);
  await expect(take(1)).rejects.toEqual(refused("insufficient_balance", { balance: 0 }));
  await reverse(owner, { movementId: second.movement.id, reason: "Wrong" });
  await expect(take(1)).rejects.toEqual(refused("insufficient_balance", { balance: 0 }));
});

test("paid first where the merchant says so", async () => {
  const { give, take, bonus } = await counter({ spendOrder: "paid_first" });
  await give(10);
  await bonus(20);
  expect((await take(15)).movement).toMatchObject({ paidPoints: -10, bonusPoints: -5 });
});

test("the nightly expiry takes what is due on blocked cards too, and waits while a merchant is suspended", async () => {
  const { bonus, card, shop, customer } = await counter();
  await bonus(30, qatarDay(NOON));
  await db.customer.update({ where: { id: customer.id }, data: { status: "blocked" } });
  const night = new Date(NOON.getTime() + DAY);
  const expire = async () => {
    const [row] = await db.$queryRaw<{ done: number }[]>`
      SELECT expire_bonus(100, false, ${night}::timestamptz) AS done`;
    return row?.done;
  };
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { suspendedAt: NOON } });
  expect(await expire()).toBe(0);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { suspendedAt: null } });
  expect(await expire()).toBe(1);
  expect(await expire()).toBe(0);
  expect(await card()).toMatchObject({ balance: 0, bonus: 0, movementCount: 2 });
});

test("an undo goes above the maximum balance, a bonus does not", async () => {
  const { give, take, bonus, owner, override } = await counter();
  await override({ maxBalance: 5000 });
  await give(5000);
  const spent = await take(100);
  await give(100);
  await expect(bonus(1)).rejects.toEqual(refused("balance_limit", { limit: 5000, balance: 5000 }));
  await reverse(owner, { movementId: spent.movement.id, reason: "Wrong" });
  await expect(give(1)).rejects.toEqual(refused("balance_limit", { limit: 5000, balance: 5100 }));
});

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
  for (const run of [reverse(owner, what), refund(owner, what), bonus(5)]) {
    await expect(run).rejects.toEqual(refused("own_card"));
  }
});

test("a repeat is answered though the merchant was rejected since; another request is not", async () => {
  const { ctx, at, shop } = await counter();
  const input = { ...at, points: 10, idempotencyKey: "one" };
  const first = await topUp(ctx, input);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { status: "rejected" } });
  const rejected = { ...ctx, actor: { ...ctx.actor, merchantStatus: "rejected" as const } };
  expect(await topUp(rejected, input)).toEqual({ ...first, replayed: true });
  await expect(topUp(rejected, { ...input, points: 11 })).rejects.toEqual(refused("merchant_rejected"));
  await expect(topUp(rejected, { ...input, idempotencyKey: "two" })).rejects.toEqual(
    refused("merchant_rejected"),
  );
});

test("a key that a standing reversal answered is used up", async () => {
  const { give, owner, at } = await counter();
  const { movement } = await give(10);
  const undo = await reverse(owner, { movementId: movement.id, reason: "x" });
  const again = { movementId: movement.id, reason: "y", idempotencyKey: "k" };
  expect(await reverse(owner, again)).toMatchObject({ replayed: true, movement: { id: undo.movement.id } });
  await expect(topUp(owner, { ...at, points: 5, idempotencyKey: "k" })).rejects.toEqual(
    refused("key_reused"),
  );
  expect(await reverse(owner, again)).toMatchObject({ replayed: true });
});

test("time never runs back for a customer: a clock set back makes no expired undo good again", async () => {
  const { give, ctx, later } = await counter();
  const { movement } = await give(10);
  later(4 * DAY);
  const { movement: ahead } = await give(5);
  later(-4 * DAY);
  const { movement: after } = await give(1);
  expect(after.createdAt).toEqual(ahead.createdAt);
  await expect(reverse(ctx, { movementId: movement.id })).rejects.toEqual(refused("undo_expired"));
});

test("a movement keeps its proof and the names as they were; its reason can be erased, its hash stays", async () => {
  const { give, owner, shop, customer, worker } = await counter();
  const { movement } = await give(10);
  const undo = await reverse(owner, { movementId: movement.id, reason: "Noor typed it twice" });
  await db.user.update({ where: { id: worker.id }, data: { firstName: "Another" } });
  await db.branch.update({ where: { id: shop.branch.id }, data: { name: "Renamed" } });
  const kept = await db.movement.findUniqueOrThrow({ where: { id: movement.id } });
  expect(kept).toMatchObject({ actorName: "Ravi Haddad", branchName: shop.branch.name });
  const reversal = () =>
    db.movement.findUniqueOrThrow({ where: { id: undo.movement.id }, include: { text: true } });
  expect((await reversal()).text?.reason).toBe("Noor typed it twice");
  await db.$executeRaw`SELECT erase_movement_texts(${customer.id}::uuid)`;
  expect(await reversal()).toMatchObject({ text: null, textHash: expect.anything() });
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

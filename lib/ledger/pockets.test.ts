import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { qatarDay } from "@/lib/domain/time";
import { DAY, makeCounter, NOON, refused } from "@/lib/testing/counter";
import { testDb } from "@/lib/testing/database";
import { refund, reverse, topUp } from "./move-points";

const db = await testDb();
const counter = (settings: Parameters<typeof makeCounter>[1] = {}) => makeCounter(db, settings);

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

test("a movement keeps its names as they were; its reason goes with its customer only, its hash stays", async () => {
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
  // As the application's role, which must not erase what a customer who is there could ask for.
  await getDb().$executeRaw`SELECT erase_movement_texts(${customer.id}::uuid)`;
  expect((await reversal()).text?.reason).toBe("Noor typed it twice");
  const nobody = { email: null, phone: null, dateOfBirth: null };
  await getDb().customer.update({
    where: { id: customer.id },
    data: { status: "erased", erasedAt: new Date(), ...nobody },
  });
  expect(await reversal()).toMatchObject({ text: null, textHash: expect.anything() });
});

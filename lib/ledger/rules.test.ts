import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Prisma } from "@/lib/db/generated/client";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { redeem, reverse, topUp } from "./move-points";

const db = await testDb();

async function counter() {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, worker);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const give = (points: number, more = {}) => topUp(ctx, { ...at, points, ...more });
  const take = (points: number, more = {}) => redeem(ctx, { ...at, points, ...more });
  return { shop, worker, owner: shop.owner, customer, ctx, at, give, take };
}

async function override(merchantId: string, rules: Partial<Prisma.PointsConfigUncheckedCreateInput>) {
  const platform = { dirhamsPerPoint: 100, minTopUp: 1, maxTopUp: 5000, maxBalance: 20000, undoMinutes: 15 };
  await db.pointsConfig.create({ data: { merchantId, version: 1, ...platform, ...rules } });
}

const later = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
const refused = (code: string, params?: object) =>
  expect.objectContaining({ name: "DomainError", code, ...(params ? { params } : {}) });

test("the receipt says what happened, and until when it may be undone", async () => {
  const { give, customer, shop, worker } = await counter();
  const { movement, replayed } = await give(250);
  expect(replayed).toBe(false);
  expect(movement).toMatchObject({
    type: "TOP_UP",
    points: 250,
    balanceAfter: 250,
    rate: 100,
    seq: 1,
    customer: { id: customer.publicId, publicId: customer.publicId, fullName: customer.fullName },
    branch: { id: shop.branch.id, name: shop.branch.name },
    actor: { id: worker.id, name: "Ravi Haddad" },
  });
  expect(movement.undoUntil?.getTime()).toBe(movement.createdAt.getTime() + 15 * 60_000);
  expect(Math.abs(movement.createdAt.getTime() - Date.now())).toBeLessThan(10_000);
});

test("the same key with another request is refused, and posts nothing", async () => {
  const { give, take, customer } = await counter();
  await give(10, { idempotencyKey: "k" });
  await expect(give(11, { idempotencyKey: "k" })).rejects.toEqual(refused("key_reused"));
  await expect(take(10, { idempotencyKey: "k" })).rejects.toEqual(refused("key_reused"));
  expect(await give(10, { idempotencyKey: "k" })).toMatchObject({ replayed: true });
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(1);
});

test("a repeat is answered with the first result even when it could not be posted now", async () => {
  const { give, take, customer } = await counter();
  await give(10);
  const first = await take(10, { idempotencyKey: "all" });
  await db.customer.update({ where: { id: customer.id }, data: { status: "blocked" } });
  expect(await take(10, { idempotencyKey: "all" })).toEqual({ ...first, replayed: true });
});

test("another actor may use the same key", async () => {
  const { give, shop, at, customer } = await counter();
  await give(10, { idempotencyKey: "k" });
  await topUp(contextOf(db, shop.owner), { ...at, points: 10, idempotencyKey: "k" });
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(2);
});

test("another merchant's customer does not exist", async () => {
  const here = await counter();
  const there = await counter();
  const foreign = { customerId: there.customer.id, branchId: here.shop.branch.id, points: 5 };
  await expect(topUp(here.ctx, foreign)).rejects.toEqual(refused("customer_not_found"));
  await expect(redeem(here.ctx, foreign)).rejects.toEqual(refused("customer_not_found"));
  const { movement } = await there.give(5);
  await expect(reverse(contextOf(db, here.owner), { movementId: movement.id, reason: "x" })).rejects.toEqual(
    refused("movement_not_found"),
  );
  await expect(reverse(here.ctx, { movementId: movement.id })).rejects.toEqual(refused("movement_not_found"));
  await expect(reverse(here.ctx, { movementId: randomUUID() })).rejects.toEqual(
    refused("movement_not_found"),
  );
});

test("the branch is one of the customer's merchant's open ones, whoever asks", async () => {
  const { give, shop, at } = await counter();
  const other = await makeMerchant(db);
  const closed = await makeBranch(db, shop, { archivedAt: new Date() });
  const admin = contextOf(db, await makeAdmin(db));
  const mismatch = refused("branch_mismatch");
  await expect(give(5, { branchId: other.branch.id })).rejects.toEqual(mismatch);
  await expect(give(5, { branchId: closed.id })).rejects.toEqual(mismatch);
  await expect(topUp(admin, { ...at, branchId: other.branch.id, points: 5 })).rejects.toEqual(mismatch);
  await expect(topUp(admin, { ...at, merchantId: other.merchant.id, points: 5 })).rejects.toEqual(mismatch);
  const good = { ...at, merchantId: shop.merchant.id, points: 5 };
  expect((await topUp(admin, good)).movement.balanceAfter).toBe(5);
});

test("amounts, balances and a worker's day have bounds", async () => {
  const { give, take, shop, owner, at } = await counter();
  await override(shop.merchant.id, { minTopUp: 10, maxTopUp: 100, maxBalance: 250, workerDailyCap: 220 });
  await expect(give(9)).rejects.toEqual(refused("below_minimum", { limit: 10, balance: 0 }));
  await expect(give(101)).rejects.toEqual(refused("above_maximum", { limit: 100, balance: 0 }));
  await expect(give(Number.MAX_SAFE_INTEGER)).rejects.toEqual(refused("above_maximum"));
  await expect(take(1)).rejects.toEqual(refused("insufficient_balance", { balance: 0 }));
  await give(100);
  const { movement } = await give(100);
  await expect(give(30)).rejects.toEqual(refused("daily_cap", { limit: 220, balance: 200 }));
  await expect(give(60)).rejects.toEqual(refused("balance_limit", { limit: 250, balance: 200 }));
  await topUp(contextOf(db, owner), { ...at, points: 50 });
  await reverse(contextOf(db, owner), { movementId: movement.id, reason: "typed twice" });
  expect((await give(100)).movement.balanceAfter).toBe(250);
});

test("a worker's cap holds over customers topped up at the same moment", async () => {
  const { shop, ctx } = await counter();
  await override(shop.merchant.id, { workerDailyCap: 50 });
  const customers = await Promise.all(Array.from({ length: 20 }, () => makeCustomer(db, shop)));
  const settled = await Promise.allSettled(
    customers.map(({ id }) => topUp(ctx, { customerId: id, branchId: shop.branch.id, points: 10 })),
  );
  expect(settled.filter((one) => one.status === "fulfilled")).toHaveLength(5);
});

test("yesterday's top-ups do not count against today's cap", async () => {
  const { shop, worker, at, give } = await counter();
  await override(shop.merchant.id, { workerDailyCap: 50 });
  const yesterday = contextOf(db, worker, { clock: later(-24 * 60) });
  await topUp(yesterday, { ...at, points: 50 });
  expect((await give(50)).movement.balanceAfter).toBe(100);
});

test("nobody serves their own card", async () => {
  const { shop, worker, owner, ctx } = await counter();
  const [byMail, byPhone] = await Promise.all([
    makeCustomer(db, shop, { email: worker.email }),
    makeCustomer(db, shop, { phone: owner.phone }),
  ]);
  const own = refused("own_card");
  const branchId = shop.branch.id;
  await expect(topUp(ctx, { customerId: byMail.id, branchId, points: 5 })).rejects.toEqual(own);
  const ownersCtx = contextOf(db, owner);
  await expect(topUp(ownersCtx, { customerId: byPhone.publicId, branchId, points: 5 })).rejects.toEqual(own);
  await topUp(ctx, { customerId: byPhone.id, branchId, points: 5 });
  await expect(redeem(ownersCtx, { customerId: byPhone.id, branchId, points: 5 })).rejects.toEqual(own);
});

test.each(["blocked", "frozen"] as const)("a %s card moves no money", async (status) => {
  const { give, take, customer, owner } = await counter();
  const { movement } = await give(10);
  await db.customer.update({ where: { id: customer.id }, data: { status } });
  const no = refused(`customer_${status}`);
  await expect(give(5)).rejects.toEqual(no);
  await expect(take(5)).rejects.toEqual(no);
  const undo = { movementId: movement.id, reason: "wrong card" };
  await expect(reverse(contextOf(db, owner), undo)).rejects.toEqual(no);
});

test("an unapproved merchant moves no money", async () => {
  const { give, at, shop } = await counter();
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { status: "rejected" } });
  await expect(give(5)).rejects.toEqual(refused("merchant_unavailable"));
  const admin = contextOf(db, await makeAdmin(db));
  await expect(topUp(admin, { ...at, points: 5 })).rejects.toEqual(refused("merchant_unavailable"));
});

test("administrators without the permission post nothing", async () => {
  const { at } = await counter();
  const ctx = contextOf(db, await makeAdmin(db, { role: "admin" }));
  await expect(topUp(ctx, { ...at, points: 5 })).rejects.toEqual(refused("forbidden"));
});

test("a worker undoes an own movement while it is the latest and the window is open", async () => {
  const { give, ctx, shop, worker } = await counter();
  const colleague = contextOf(db, await makeWorker(db, shop));
  const first = await give(10);
  await expect(reverse(colleague, { movementId: first.movement.id })).rejects.toEqual(
    refused("movement_not_found"),
  );
  const tooLate = contextOf(db, worker, { clock: later(16) });
  await expect(reverse(tooLate, { movementId: first.movement.id })).rejects.toEqual(refused("undo_expired"));
  const second = await give(20);
  await expect(reverse(ctx, { movementId: first.movement.id })).rejects.toEqual(refused("not_latest"));
  const undo = await reverse(ctx, { movementId: second.movement.id });
  expect(undo.movement).toMatchObject({ type: "REVERSAL", points: -20, balanceAfter: 10, undoUntil: null });
  await expect(reverse(ctx, { movementId: undo.movement.id })).rejects.toEqual(refused("not_reversible"));
});

test("an owner reverses any movement with a reason, but not points that are spent", async () => {
  const { give, take, owner, customer } = await counter();
  const ctx = contextOf(db, owner);
  const first = await give(30);
  const spent = await take(20);
  const undo = { movementId: first.movement.id };
  await expect(reverse(ctx, undo)).rejects.toEqual(refused("reason_required"));
  await expect(reverse(ctx, { ...undo, reason: "wrong card" })).rejects.toEqual(
    refused("already_spent", { balance: 10 }),
  );
  await reverse(ctx, { movementId: spent.movement.id, reason: "returned" });
  const done = await reverse(ctx, { ...undo, reason: "wrong card" });
  expect(done.movement).toMatchObject({ points: -30, balanceAfter: 0, reason: "wrong card" });
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(4);
});

test("a reversal takes back at what the points were worth", async () => {
  const { give, shop, ctx } = await counter();
  const { movement } = await give(30);
  await override(shop.merchant.id, { dirhamsPerPoint: 250 });
  expect((await reverse(ctx, { movementId: movement.id })).movement.rate).toBe(100);
  expect((await give(1)).movement.rate).toBe(250);
});

test("the database itself refuses what is no posting", async () => {
  const { give, customer, shop } = await counter();
  const { movement } = await give(10);
  const where = { id: movement.id };
  await expect(db.movement.update({ where, data: { points: 99 } })).rejects.toThrow(/append-only/);
  await expect(db.movement.delete({ where })).rejects.toThrow(/append-only/);
  await expect(db.$executeRaw`TRUNCATE movements CASCADE`).rejects.toThrow(/append-only/);
  const copy = Prisma.sql`SELECT customer_id, merchant_id, branch_id, actor_type, actor_id, type, points, 20, rate, 2, 'k', 'h'
    FROM movements WHERE id = ${movement.id}::uuid`;
  const columns = Prisma.raw(
    "customer_id, merchant_id, branch_id, actor_type, actor_id, type, points, balance_after, rate, seq, idempotency_key, request_hash",
  );
  const stray = /only post_movements/;
  await expect(db.$executeRaw`INSERT INTO movements (${columns}) ${copy}`).rejects.toThrow(stray);
  const card = { where: { id: customer.id } };
  await expect(db.customer.update({ ...card, data: { balance: 99 } })).rejects.toThrow(stray);
  await expect(db.customer.update({ ...card, data: { movementCount: 9 } })).rejects.toThrow(stray);
  await expect(makeCustomer(db, shop, { balance: 5 })).rejects.toThrow(stray);
  const raise = (to: number) =>
    db.$transaction([
      db.$executeRaw`SELECT set_config('wallet.posting', 'on', true)`,
      db.$executeRaw`UPDATE customers SET balance = ${to} WHERE id = ${customer.id}::uuid`,
    ]);
  await expect(raise(20_001)).rejects.toThrow(/maximum in force/);
  await expect(raise(-1)).rejects.toThrow(/customers_balance/);
  await expect(give(10)).resolves.toMatchObject({ movement: { balanceAfter: 20 } });
});

import { expect, test } from "vitest";
import { TENDERS } from "@/lib/domain/tender";
import { testDb } from "@/lib/testing/database";
import { seedDemo } from "./seed";

const db = await testDb();

const demoRows = async () => ({
  users: await db.user.findMany({ orderBy: { email: "asc" } }),
  merchants: await db.merchant.findMany({ orderBy: { email: "asc" } }),
  branches: await db.branch.findMany({ orderBy: { id: "asc" } }),
  customers: await db.customer.findMany({ orderBy: { id: "asc" } }),
  movements: await db.movement.findMany({ orderBy: { id: "asc" } }),
});

test("the demo seed refuses production", async () => {
  await expect(seedDemo(db, "production")).rejects.toThrow("production");
  expect(await db.user.count()).toBe(0);
});

test("the seed creates the demo, and a second run changes nothing", async () => {
  await seedDemo(db);
  const first = await demoRows();
  const emails = first.users.map((user) => user.email);
  for (const email of [
    "super@wallet.test",
    "admin@wallet.test",
    "owner@karak.test",
    "worker@karak.test",
    "owner@oryx.test",
    "worker@oryx.test",
    "owner@pending.test",
  ]) {
    expect(emails).toContain(email);
  }
  for (const merchant of first.merchants.filter(({ status }) => status === "approved")) {
    expect(merchant.imageKey).toMatch(/^image/);
    const own = first.customers.filter(({ merchantId }) => merchantId === merchant.id);
    expect(own.length).toBeGreaterThanOrEqual(25);
  }
  const days = new Set(first.movements.map(({ createdAt }) => createdAt.toISOString().slice(0, 10)));
  expect(days.size).toBeGreaterThanOrEqual(59);
  expect(Math.max(...first.movements.map(({ createdAt }) => createdAt.getTime()))).toBeLessThan(Date.now());
  const kinds = new Set(first.movements.map(({ type }) => type));
  expect([...kinds].sort()).toEqual([
    "ADJUSTMENT",
    "BONUS",
    "EXPIRY",
    "REDEEM",
    "REFUND",
    "REVERSAL",
    "TOP_UP",
  ]);
  const tenders = new Set(first.movements.flatMap(({ tender }) => tender ?? []));
  expect([...tenders].sort()).toEqual([...TENDERS].sort());
  expect(first.movements.filter(({ saleRef }) => saleRef).length).toBeGreaterThan(first.movements.length / 2);
  const lots = await db.lot.findMany({ where: { remaining: { gt: 0 } } });
  expect(lots.some(({ endsAt }) => endsAt === null)).toBe(true);
  expect(lots.some(({ endsAt }) => endsAt !== null && endsAt > new Date())).toBe(true);
  const erased = first.customers.filter(({ status }) => status === "erased");
  expect(erased).toMatchObject([{ balance: 0, email: null, movementCount: 3 }]);
  expect(first.movements.filter(({ customerId }) => customerId === erased[0]?.id).at(-1)).toMatchObject({
    type: "ADJUSTMENT",
    points: -66,
    actorType: "card_holder",
    actorId: null,
    branchId: null,
  });
  const layla = first.customers.filter(({ email }) => email === "layla@customer.test");
  expect(layla).toHaveLength(2);
  await seedDemo(db);
  expect(await demoRows()).toEqual(first);
});

test("every balance of the demo is the sum of its movements", async () => {
  const mismatches = await db.$queryRaw<unknown[]>`
    select c.id from customers c left join movements m on m.customer_id = c.id
    group by c.id having c.balance <> coalesce(sum(m.points), 0) or c.movement_count <> count(m.id)`;
  expect(mismatches).toEqual([]);
});

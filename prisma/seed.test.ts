import { expect, test } from "vitest";
import { qatarDay } from "@/lib/domain/time";
import { TENDERS } from "@/lib/ledger/model/tender";
import { testDb } from "@/lib/testing/database";
import { frozenReportSchema } from "@/lib/tills/model/shift";
import { seedDemo } from "./seed";

const db = await testDb();

const demoRows = async () => ({
  users: await db.user.findMany({ orderBy: { email: "asc" } }),
  merchants: await db.merchant.findMany({ orderBy: { email: "asc" } }),
  branches: await db.branch.findMany({ orderBy: { id: "asc" } }),
  customers: await db.customer.findMany({ orderBy: { id: "asc" } }),
  movements: await db.movement.findMany({ orderBy: { id: "asc" } }),
  tills: await db.till.findMany({ orderBy: { id: "asc" } }),
  shifts: await db.shift.findMany({ orderBy: { id: "asc" } }),
  drawerMoves: await db.drawerMove.findMany({ orderBy: { id: "asc" } }),
  notices: await db.notice.findMany({ orderBy: { id: "asc" } }),
  emails: await db.email.count(),
});

test("the demo seed refuses production", async () => {
  await expect(seedDemo(db, "production")).rejects.toThrow("production");
  expect(await db.user.count()).toBe(0);
});

test("the seed creates the demo, and a second run changes nothing", async () => {
  await seedDemo(db);
  const first = await demoRows();
  // They may approve each other's changes.
  for (const { role, activeSince } of first.users)
    if (role === "super_admin" || role === "admin")
      expect(activeSince?.getTime()).toBeLessThan(Date.now() - 72 * 3_600_000);
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

test("a till has three shifts: one counted exactly, one short, which is reported to its owner, and today's", async () => {
  const tills = await db.till.findMany({
    include: { branch: { include: { merchant: true } }, shifts: { orderBy: { period: "asc" } } },
  });
  expect(tills).toMatchObject([{ name: "Front till", retiredAt: null, pairedAt: expect.any(Date) }]);
  const [{ id: tillId, branch, shifts }] = tills as [(typeof tills)[number]];
  const { merchant } = branch;
  expect([merchant.businessName, branch.name]).toEqual(["Karak House", "The Pearl"]);
  const worker = await db.user.findUniqueOrThrow({ where: { email: "worker@karak.test" } });
  const movements = await db.movement.findMany({
    where: { actorId: worker.id, branchId: branch.id },
    include: { reverses: { select: { tender: true } } },
    orderBy: { createdAt: "asc" },
  });
  expect(await db.movement.count({ where: { tillId: { not: null }, actorId: { not: worker.id } } })).toBe(0);
  const seededOn = qatarDay(new Date(merchant.createdAt.getTime() + 320 * 86_400_000));
  const days = [...new Set(movements.map(({ createdAt }) => qatarDay(createdAt)))].slice(-3);
  expect(shifts.map(({ openedAt }) => qatarDay(openedAt))).toEqual(days);
  for (const [nth, shift] of shifts.entries()) {
    const ofDay = movements.filter(({ createdAt }) => qatarDay(createdAt) === days[nth]);
    expect(ofDay.filter(({ tillPeriod }) => tillPeriod !== nth + 1)).toEqual([]);
    expect(shift).toMatchObject({ period: nth + 1, float: 20_000, openedById: worker.id });
    const times = ofDay.map(({ createdAt }) => createdAt.getTime());
    expect(shift.openedAt.getTime()).toBeLessThan(Math.min(...times));
    const drawer = await db.drawerMove.findMany({ where: { shiftId: shift.id } });
    expect(drawer).toMatchObject([{ kind: "pay_out", amount: 1_550, reason: "Milk" }]);
    expect(shift.closedAt === null).toBe(days[nth] === seededOn);
    if (shift.closedAt === null) continue;
    expect(shift.closedAt.getTime()).toBeGreaterThan(Math.max(...times));
    const cash = ofDay.filter((one) => (one.tender ?? one.reverses?.tender) === "cash");
    const taken = cash.reduce((sum, { points, rate }) => sum + points * rate, 0);
    const { tenders } = frozenReportSchema.parse(shift.report);
    const difference = Number(shift.difference);
    expect(tenders[0]).toMatchObject({ tender: "cash", expected: 20_000 - 1_550 + taken, difference });
    for (const { tender, difference } of tenders.slice(1))
      expect(difference).toBe(tender === "online" ? null : 0);
  }
  const short = shifts.filter(({ difference }) => Number(difference ?? 0) !== 0);
  expect(short).toHaveLength(1);
  expect(Number(short[0]?.difference)).toBeLessThan(-merchant.drawerTolerance);
  expect(shifts.filter(({ difference }) => difference === 0n).length).toBeGreaterThan(0);
  expect(await db.notice.findMany()).toMatchObject([
    {
      kind: "drawer_difference",
      merchantId: merchant.id,
      userId: worker.id,
      tillId,
      recordId: short[0]?.id,
      amount: short[0]?.difference,
      createdAt: short[0]?.closedAt,
    },
  ]);
  expect(await db.email.count()).toBe(0);
});

import { expect, test } from "vitest";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { explainStatements, testDb } from "@/lib/testing/database";
import { contextOf, makeBranch, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { move } from "@/lib/testing/movements";
import { seedLarge } from "@/prisma/seed/large";
import type { MovementFilter } from "./model/movement-queries";
import { TENDERS } from "./model/tender";
import { redeem, reverse, topUp } from "./move-points";
import { movementTotals } from "./movement-totals";
import { listMovements } from "./read-movements";

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

test("a tender's totals, of the shop, a branch and a worker, are the same from its sums as from movements", async () => {
  const shop = await makeMerchant(db, { refundDays: 2 });
  const [customer, other] = [await makeCustomer(db, shop), await makeMerchant(db)];
  const worker = await makeWorker(db, shop);
  const second = await makeBranch(db, shop);
  const [owner, staff] = [contextOf(db, shop.owner), contextOf(db, worker)];
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(owner, { ...at, points: 300, tender: "card" });
  await topUp(owner, { ...at, branchId: second.id, points: 20, tender: "card" });
  await topUp(staff, { ...at, points: 50, tender: "card" });
  const wrong = await topUp(staff, { ...at, points: 40, tender: "card" });
  await topUp(staff, { ...at, points: 7 });
  await redeem(owner, { ...at, points: 30 });
  await reverse(owner, { movementId: wrong.movement.id, reason: "twice" });
  await topUp(contextOf(db, other.owner), {
    customerId: (await makeCustomer(db, other)).id,
    branchId: other.branch.id,
    points: 9,
    tender: "card",
  });
  const tender = "card" as const;
  const today = qatarDay(new Date());
  const totals = (ctx: typeof owner, filter: MovementFilter) => movementTotals(ctx, filter);
  for (const summed of [false, true]) {
    if (summed) {
      await waitForOpenTransactions(db);
      await fillDailySums(db);
      expect(await db.$queryRaw`select * from wrong_sums()`).toEqual([]);
    }
    const all = { count: 4, toppedUp: 370, redeemed: 0, gross: { toppedUp: 410, redeemed: 0 } };
    expect(await totals(owner, { tender })).toMatchObject(all);
    expect(await totals(owner, { tender, type: "TOP_UP", from: today, to: today })).toMatchObject(all);
    expect(await totals(owner, { tender, from: addDays(today, 1) })).toMatchObject({ count: 0, net: 0 });
    expect(await totals(owner, { tender, type: "REDEEM" })).toMatchObject({ count: 0, net: 0 });
    // A reversal has no tender of its own: the log shows none, with a search too.
    for (const narrow of [{}, { customerId: customer.id }, { search: customer.fullName }]) {
      const filter = { tender, type: "REVERSAL", ...narrow } as const;
      const nothing = { count: 0, toppedUp: 0, redeemed: 0, net: 0, gross: null };
      expect(await totals(owner, filter)).toMatchObject(nothing);
      expect((await listMovements(owner, filter)).results).toEqual([]);
    }
    expect(await totals(owner, { tender, branchId: second.id })).toMatchObject({ count: 1, toppedUp: 20 });
    expect(await totals(owner, { tender: "cash" })).toMatchObject({ count: 1, toppedUp: 7 });
    // The owner took the worker's top-up back: it counts with who did it.
    const own = { count: 2, toppedUp: 90, gross: { toppedUp: 90 } };
    expect(await totals(staff, { tender })).toMatchObject(own);
    expect(await totals(owner, { tender, workerId: worker.id })).toMatchObject(own);
  }
});

test("pages of a tender, and of a worker at a branch, are those of all movements filtered, whether summed or not", async () => {
  const shop = await makeMerchant(db);
  const [worker, elsewhere] = [await makeWorker(db, shop), await makeBranch(db, shop)];
  const customer = await makeCustomer(db, shop);
  const today = qatarDay(new Date());
  const daysAgo = (days: number, hour: number) =>
    new Date(dayStart(addDays(today, -days)).getTime() + hour * 3_600_000);
  // Three years between a card payment and the next, and one visit of the worker elsewhere.
  const made: [days: number, hour: number, tender: "cash" | "card", branch: typeof elsewhere][] = [
    [1_100, 0, "cash", shop.branch],
    [1_100, 9, "card", shop.branch],
    [400, 23, "cash", elsewhere],
    [3, 5, "cash", shop.branch],
    [3, 6, "card", shop.branch],
    [0, 0, "card", elsewhere],
    [0, 0, "cash", shop.branch],
  ];
  const post = (days: number, hour: number, tender: "cash" | "card", branch: typeof elsewhere) =>
    move(db, { ...shop, branch }, customer, { points: 5, actor: worker, tender, at: daysAgo(days, hour) });
  for (const one of made) await post(...one);
  const owner = contextOf(db, shop.owner);
  const own = contextOf(db, worker);
  const pages = async (ctx: typeof owner, filter: MovementFilter, sort: "time" | undefined) => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listMovements(ctx, { ...filter, limit: 1, sort, cursor });
      ids.push(...page.results.map(({ id }) => id));
      if (page.nextCursor === null) return ids;
      cursor = page.nextCursor;
    }
  };
  const filters: [typeof owner, MovementFilter, number][] = [
    [owner, { tender: "card" }, 3],
    [owner, { tender: "card", type: "TOP_UP", from: addDays(today, -400) }, 2],
    [owner, { tender: "cash", to: addDays(today, -3) }, 3],
    [owner, { workerId: worker.id, branchId: elsewhere.id }, 2],
    [own, { branchId: elsewhere.id }, 2],
    [own, { tender: "card" }, 3],
  ];
  for (const summed of ["none", "all", "a part"]) {
    if (summed === "all") {
      await waitForOpenTransactions(db);
      await fillDailySums(db);
    }
    if (summed === "a part") await post(0, 0, "card", elsewhere);
    const more = summed === "a part" ? 1 : 0;
    for (const [ctx, filter, count] of filters) {
      const everything = await listMovements(ctx, { limit: 100 });
      const { tender, branchId, from, to } = filter;
      const wanted = everything.results
        .filter((one) => !tender || one.tender === tender)
        .filter((one) => !branchId || one.branch?.id === branchId)
        .filter(
          ({ createdAt }) =>
            (!from || createdAt >= dayStart(from)) && (!to || createdAt < dayStart(addDays(to, 1))),
        )
        .map(({ id }) => id);
      const name = `${summed} ${JSON.stringify(filter)}`;
      expect(wanted, name).toHaveLength(count + (to ? 0 : more));
      expect(await pages(ctx, filter, undefined), name).toEqual(wanted);
      expect(await pages(ctx, filter, "time"), name).toEqual(wanted.toReversed());
    }
  }
});

test("the totals of a role are those of its people, whether summed or not", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const at = { customerId: customer.id, branchId: shop.branch.id };
  await topUp(contextOf(db, shop.owner), { ...at, points: 70 });
  await topUp(contextOf(db, worker), { ...at, points: 30 });
  const wrong = await topUp(contextOf(db, worker), { ...at, points: 8 });
  await reverse(contextOf(db, shop.owner), { movementId: wrong.movement.id, reason: "twice" });
  for (const summed of [false, true]) {
    if (summed) {
      await waitForOpenTransactions(db);
      await fillDailySums(db);
    }
    const of = async (actorRole: "merchant_owner" | "branch_worker") =>
      await movementTotals(contextOf(db, shop.owner), { actorRole });
    expect(await of("merchant_owner")).toMatchObject({ toppedUp: 62, count: 1 });
    expect(await of("branch_worker")).toMatchObject({ toppedUp: 38, count: 2 });
  }
});

test("a page of an employee by a tender that is never used does not read the employee's other movements", async () => {
  await waitForOpenTransactions(db);
  await seedLarge(db, { merchants: 1, customers: 300, movements: 4_000, days: 200 });
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  const worker = await db.user.findFirstOrThrow({
    where: { role: "branch_worker", merchant: { email: "large1@large.test" } },
    orderBy: { email: "asc" },
  });
  const used = await db.movement.findMany({
    where: { actorId: worker.id },
    distinct: ["tender"],
    select: { tender: true },
  });
  const rare = TENDERS.find((tender) => !used.some((one) => one.tender === tender));
  expect(rare).toBeDefined();
  expect(await db.movement.count({ where: { actorId: worker.id } })).toBeGreaterThan(500);
  const watched = explainStatements(db);
  const { results } = await listMovements(contextOf(watched.db, worker), { tender: rare });
  expect(results).toEqual([]);
  expect(watched.statements.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(500);
});

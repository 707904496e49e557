import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { postBatch } from "@/lib/ledger/batch";
import { topUp } from "@/lib/ledger/move-points";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { cashOf, shopWithTill } from "@/lib/testing/shop-with-till";
import { contextAt, makeTill, proofOf } from "@/lib/testing/tills";
import type { ShiftView } from "./names";
import { countIsBlind, getShift } from "./read-shifts";
import { closeShift, openShift } from "./run-shifts";

const closeCall = handlerOf("POST", "shifts/{id}/close");
const drawerCall = handlerOf("POST", "shifts/{id}/drawer");
const one = handlerOf("GET", "shifts/{id}");
const list = handlerOf("GET", "shifts");
const openCall = handlerOf("POST", "shifts");

const db = await testDb();

describe("over the API", () => {
  test("a worker at the till opens, moves cash and closes; the count is blind and the report frozen", async () => {
    const { shop, worker, at, place, ctx } = await shopWithTill(db);
    const token = await tokenOf(db, worker);
    const send = async (handler: typeof openCall, body: object, params = {}, headers = {}) => {
      const sent = { method: "POST", token, body };
      return call(handler, { ...sent, params, headers: { ...(await proofOf(at.key, sent)), ...headers } });
    };
    await topUp(ctx, { ...place, points: 999 });
    const open = { iTillId: at.till.id, iFloat: 20_000 };
    expect(await call(openCall, { method: "POST", token, body: open })).toMatchObject({
      code: "till_required",
    });
    const both = await Promise.all([send(openCall, open), send(openCall, open)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)).toMatchObject({ code: "shift_open" });
    const opened = both.find(({ status }) => status === 200);
    expect(opened).toMatchObject({ data: { iNumber: 1 } });
    const { _id: id } = (opened ?? { data: {} }).data as { _id: string };
    await topUp(ctx, { ...place, points: 100 });
    await topUp(ctx, { ...place, points: 40, tender: "card" });
    const pay = { eType: "pay_out", iAmount: 1_500, sReason: "Milk" };
    const key = { "Idempotency-Key": randomUUID() };
    const paid = await Promise.all([1, 2, 3].map(() => send(drawerCall, pay, { id }, key)));
    expect(new Set(paid.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(await send(drawerCall, { ...pay, iAmount: 1 }, { id }, key)).toMatchObject({ code: "key_reused" });

    const get = { token, params: { id } };
    const blind = await call(one, { ...get, headers: await proofOf(at.key, get) });
    expect(blind).toMatchObject({ status: 200, data: { iFloat: 20_000, aDrawer: [{ iAmount: 1_500 }] } });
    expect(JSON.stringify(blind)).not.toMatch(/iExpected|oTopups|iDifference|aTenders/);
    expect(JSON.stringify(await call(list, { token: await tokenOf(db, shop.owner) }))).not.toMatch(
      /iExpected|iDifference/,
    );

    const count = { oCounted: { cash: 28_400, card: 4_000 } };
    expect(await send(closeCall, { ...count, iWaiting: 2 }, { id })).toMatchObject({
      status: 409,
      code: "entries_waiting",
    });
    const closed = await send(closeCall, { ...count, iWaiting: 2, sNote: "The line is down." }, { id });
    expect(closed).toMatchObject({
      status: 200,
      data: {
        iNumber: 1,
        iDifference: -100,
        aTenders: [
          { eTender: "cash", iExpected: 28_500, iCounted: 28_400, iDifference: -100 },
          { eTender: "card", iExpected: 4_000, iCounted: 4_000, iDifference: 0 },
        ],
        oTopups: { nCount: 2, iPoints: 140, iDirhams: 14_000 },
        oPayOuts: { nCount: 1, iDirhams: 1_500 },
        aServed: [{ _id: worker.id }],
      },
    });
    expect(await send(closeCall, count, { id })).toMatchObject({ status: 409, code: "shift_closed" });
    expect(await send(drawerCall, pay, { id })).toMatchObject({ status: 409, code: "shift_closed" });
    await expect(db.$executeRaw`update shifts set note = 'x' where id = ${id}::uuid`).rejects.toThrow();
    const again = await getShift(contextOf(db, shop.owner), { id });
    expect(cashOf(again).expected).toBe(28_500);
  });

  test("a shift is its till's and its merchant's", async () => {
    const { worker, at, ctx } = await shopWithTill(db);
    const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
    const other = await shopWithTill(db);
    const count = { id, counted: { cash: 0 } };
    await expect(closeShift(contextOf(db, worker), count)).rejects.toMatchObject({ code: "till_required" });
    for (const who of [other.ctx, contextOf(db, other.shop.owner)]) {
      await expect(closeShift(who, count)).rejects.toMatchObject({ code: "shift_not_found" });
      await expect(getShift(who, { id })).rejects.toMatchObject({ code: "shift_not_found" });
    }
    await expect(openShift(other.ctx, { tillId: at.till.id, float: 0 })).rejects.toMatchObject({
      code: "till_not_found",
    });
  });

  test("a difference above the tolerance is mailed to the owner, and none within it", async () => {
    const { shop, at, ctx } = await shopWithTill(db, { drawerTolerance: 500 });
    for (const [cash, mails] of [
      [10_500, 0],
      [9_499, 1],
    ] as const) {
      const { id } = await openShift(ctx, { tillId: at.till.id, float: 10_000 });
      await closeShift(ctx, { id, counted: { cash } });
      expect(
        await db.email.count({ where: { recipient: shop.owner.email, subject: { contains: "Drawer" } } }),
      ).toBe(mails);
    }
  });
});

test("the e-mail about a difference names the way of paying that differs", async () => {
  const { shop, at, ctx, place } = await shopWithTill(db, { drawerTolerance: 500 });
  const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
  await topUp(ctx, { ...place, points: 50, tender: "card" });
  await closeShift(ctx, { id, counted: { cash: 0, card: 3_000 } });
  const { text } = await db.email.findFirstOrThrow({
    where: { recipient: shop.owner.email, subject: { contains: "Drawer" } },
  });
  expect(text).toMatch(/Paid by: Card\s+Expected: QAR 50\.00\s+Counted: QAR 30\.00/);
});

test("a worker's own totals wait for the count of a drawer that they served", async () => {
  const { shop, worker, at, place, ctx } = await shopWithTill(db);
  const elsewhere = await makeWorker(db, shop, { branchId: null });
  const blind = async (user: typeof worker) => (await countIsBlind(contextOf(db, user), {})).blind;
  expect([await blind(worker), await blind(elsewhere)]).toEqual([false, false]);
  const { id } = await openShift(contextOf(db, shop.owner), { tillId: at.till.id, float: 0 });
  expect([await blind(worker), await blind(elsewhere), await blind(shop.owner)]).toEqual([
    true,
    false,
    false,
  ]);
  await topUp(contextAt(db, elsewhere, at), { ...place, points: 5 });
  expect(await blind(elsewhere)).toBe(true);
  await closeShift(ctx, { id, counted: { cash: 500 } });
  expect([await blind(worker), await blind(elsewhere)]).toEqual([false, false]);
});

describe("what is posted while a shift closes", () => {
  test("and was under way is waited for, and is in this report", async () => {
    const { shop, worker, at, customer, ctx } = await shopWithTill(db);
    const { id } = await openShift(ctx, { tillId: at.till.id, float: 1_000 });
    const row = {
      ...{
        type: "TOP_UP" as const,
        customer: customer.id,
        branch: shop.branch.id,
        points: 7,
        actor: worker.id,
      },
      ...{
        scope: "merchant" as const,
        scopeMerchant: shop.merchant.id,
        till: at.till.id,
        key: randomUUID(),
        hash: "h",
      },
    };
    let closing: Promise<ShiftView> | undefined;
    await db.$transaction(async (tx) => {
      await postBatch(tx, [row]);
      closing = closeShift(contextOf(db, shop.owner), { id, counted: { cash: 0 } });
      for (let waits = 0; waits === 0; ) {
        const [blocked] = await db.$queryRaw<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%close_shift%'`;
        waits = blocked?.n ?? 0;
      }
    });
    expect(cashOf((await closing) as ShiftView).expected).toBe(1_700);
  });

  test("is in one report and in no other, whoever is first", async () => {
    const { shop, at, ctx } = await shopWithTill(db);
    const customers = await Promise.all(Array.from({ length: 6 }, () => makeCustomer(db, shop)));
    const expected: number[] = [];
    const numbers: number[] = [];
    for (let round = 0; round < 4; round++) {
      const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
      const postings = Array.from({ length: 30 }, (_, n) =>
        topUp(ctx, { customerId: customers[n % 6]?.id ?? "", branchId: shop.branch.id, points: 1 + n }),
      );
      await postings[round * 5];
      const report = await closeShift(ctx, { id, counted: { cash: 0 } });
      expected.push(cashOf(report).expected);
      numbers.push(report.number);
      await Promise.all(postings);
    }
    const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
    expected.push(cashOf(await closeShift(ctx, { id, counted: { cash: 0 } })).expected);
    expect(expected.reduce((sum, one) => sum + one, 0)).toBe(4 * 465 * 100);
    expect(numbers).toEqual([1, 2, 3, 4]);
  });
});

test("reports of a merchant are numbered without a gap, also when tills close at once and some closes fail", async () => {
  const { shop } = await shopWithTill(db);
  const owner = contextOf(db, shop.owner);
  const shifts = await Promise.all(
    Array.from({ length: 8 }, async () =>
      openShift(owner, { tillId: (await makeTill(db, shop)).till.id, float: 0 }),
    ),
  );
  const closes = shifts.flatMap(({ id }, n) => [
    closeShift(owner, { id, counted: { cash: 0 } }),
    // The audit refuses a second close's entry, or the close itself: its number is given to another.
    ...(n % 2 ? [closeShift(owner, { id, counted: { cash: 5 } })] : []),
  ]);
  const settled = await Promise.allSettled(closes);
  const numbers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value.number] : []));
  expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { POST as closeCall } from "@/app/api/shifts/[id]/close/route";
import { POST as drawerCall } from "@/app/api/shifts/[id]/drawer/route";
import { GET as one } from "@/app/api/shifts/[id]/route";
import { GET as list, POST as openCall } from "@/app/api/shifts/route";
import type { ShiftView, TenderCount } from "@/lib/domain/shift";
import { postBatch } from "@/lib/ledger/batch";
import { redeem, refund, reverse, topUp } from "@/lib/ledger/move-points";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { contextAt, makeTill, proofOf } from "@/lib/testing/tills";
import { countIsBlind, getShift } from "./read-shifts";
import { closeShift, moveDrawer, openShift } from "./run-shifts";

const db = await testDb();

async function counter(overrides = {}) {
  const shop = await makeMerchant(db, {
    refundDays: 5,
    redeemAllowance: 20_000,
    unprovedWorkerDaily: 20_000,
    ...overrides,
  });
  const worker = await makeWorker(db, shop);
  const at = await makeTill(db, shop);
  const customer = await makeCustomer(db, shop);
  const place = { customerId: customer.id, branchId: shop.branch.id };
  return { shop, worker, at, customer, place, ctx: contextAt(db, worker, at) };
}

const cashOf = ({ report }: ShiftView): TenderCount =>
  report?.tenders.find(({ tender }) => tender === "cash") ?? {
    tender: "cash",
    expected: 0,
    counted: null,
    difference: null,
  };

describe("over the API", () => {
  test("a worker at the till opens, moves cash and closes; the count is blind and the report frozen", async () => {
    const { shop, worker, at, place, ctx } = await counter();
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
    const { worker, at, ctx } = await counter();
    const { id } = await openShift(ctx, { tillId: at.till.id, float: 0 });
    const other = await counter();
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
    const { shop, at, ctx } = await counter({ drawerTolerance: 500 });
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

test("a worker's own totals wait for the count of a drawer that they served", async () => {
  const { shop, worker, at, place, ctx } = await counter();
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
    const { shop, worker, at, customer, ctx } = await counter();
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
    const { shop, at, ctx } = await counter();
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
  const { shop } = await counter();
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

const SEQUENCES = Number(process.env.SEQUENCES ?? (process.env.LONG ? 200 : 12));

test("any sequence on two tills keeps expected = float + movements, by tender", {
  timeout: 20_000 * SEQUENCES,
}, async () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const { below, chance, pick } = random(seed);
    const { shop, worker, at, place } = await counter();
    const tills = [at, await makeTill(db, shop)].map((till) => ({
      ctx: contextAt(db, worker, till),
      id: till.till.id,
      shift: null as string | null,
      /** Expected by tender since the last close; the float and the moves are in cash. */
      sums: new Map<string, number>(),
      ever: false,
    }));
    const posted: { id: string; points: number; tender: string }[] = [];
    const redeemed: string[] = [];
    let reports = 0;
    const note = (till: (typeof tills)[number], tender: string, dirhams: number) => {
      if (till.ever) till.sums.set(tender, (till.sums.get(tender) ?? 0) + dirhams);
    };
    for (let step = 0; step < 40; step++) {
      const till = pick(tills);
      const what = below(9);
      if (what === 0 && !till.shift) {
        const float = below(50_000);
        till.shift = (await openShift(till.ctx, { tillId: till.id, float })).id;
        till.ever = true;
        note(till, "cash", float);
      } else if (what === 1 && till.shift) {
        const cash = below(100_000);
        const report = await closeShift(till.ctx, { id: till.shift, counted: { cash } });
        reports += 1;
        expect(report.number, `seed ${seed}`).toBe(reports);
        for (const { tender, expected } of report.report?.tenders ?? []) {
          expect(expected, `seed ${seed} ${tender}`).toBe(till.sums.get(tender) ?? 0);
        }
        const shown = report.report?.tenders.map(({ tender }) => tender) ?? [];
        for (const [tender, sum] of till.sums) if (sum !== 0) expect(shown).toContain(tender);
        expect(cashOf(report).difference).toBe(cash - (till.sums.get("cash") ?? 0));
        till.shift = null;
        till.sums = new Map();
      } else if (what === 2 && till.shift) {
        const kind = chance(0.5) ? "pay_in" : "pay_out";
        const amount = 1 + below(5_000);
        await moveDrawer(till.ctx, { id: till.shift, kind, amount, reason: "Change" });
        note(till, "cash", kind === "pay_in" ? amount : -amount);
      } else if (what === 3 && posted.length > 0) {
        const gone = posted.splice(below(posted.length), 1)[0];
        const owner = contextOf(db, shop.owner, { till: till.ctx.till });
        const undone = await reverse(owner, { movementId: gone?.id ?? "", reason: "Wrong" }).catch(
          () => null,
        );
        if (undone && gone) note(till, gone.tender, -100 * gone.points);
      } else if (what === 4) {
        const made = await redeem(till.ctx, { ...place, points: 1 + below(20) }).catch(() => null);
        if (made) redeemed.push(made.movement.id);
      } else if (what === 5 && redeemed.length > 0) {
        await refund(till.ctx, { movementId: pick(redeemed), points: 1, reason: "Returned" }).catch(
          () => null,
        );
      } else if (what > 5) {
        const tender = pick(["cash", "cash", "card", "bank", "other"] as const);
        const points = 1 + below(200);
        const { movement } = await topUp(till.ctx, { ...place, points, tender });
        posted.push({ id: movement.id, points, tender });
        note(till, tender, 100 * points);
      }
    }
  }
});

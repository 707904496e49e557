import { beforeAll, expect, test } from "vitest";
import { listCustomers } from "@/lib/customers/list-customers";
import { CUSTOMER_STATUSES, listCustomersSchema } from "@/lib/customers/model/customers";
import type { Customer, Movement } from "@/lib/db/generated/client";
import { cashValue } from "@/lib/domain/money";
import { addDays, dayStart, lastDays, qatarDay } from "@/lib/domain/time";
import { fillDailySums, fillMerchantDays } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  type MerchantFixture,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
} from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { move } from "@/lib/testing/movements";
import { customerTotals, dashboard } from "./dashboard";
import type { MoneyFigures } from "./model/owner-home";

const db = await testDb();
const NOW = new Date("2026-07-15T13:00:00Z");
const TODAY = qatarDay(NOW);
const shops: MerchantFixture[] = [];

/** Forty days at two shops of two branches, with reversals on other days than their originals. */
async function fill(shop: MerchantFixture, seed: number): Promise<void> {
  const second = { ...shop, branch: await makeBranch(db, shop) };
  const customers: Customer[] = [];
  for (let n = 0; n < 4; n++) {
    const registeredAt = new Date(NOW.getTime() - n * seed * 20 * 3_600_000);
    customers.push(await makeCustomer(db, shop, { registeredAt }));
    // Others who came then and are gone, or may not come again.
    await makeCustomer(db, shop, { registeredAt, status: "blocked" });
    const gone = { status: "erased", erasedAt: NOW, email: null, phone: null, dateOfBirth: null } as const;
    await makeCustomer(db, shop, { registeredAt, ...gone });
  }
  for (let back = 40; back >= 0; back--) {
    const start = dayStart(addDays(TODAY, -back)).getTime();
    for (const [index, customer] of customers.entries()) {
      if ((back * 7 + index * 3 + seed) % 4 === 0) continue;
      const at = (minutes: number) => new Date(start + minutes * 60_000);
      const place = (back + index) % 3 === 0 ? second : shop;
      // The first minute of the Qatar day, and the last: each on its own day, not on UTC's.
      const made = await move(db, place, customer, {
        points: 50 + seed + index,
        tender: index % 2 === 0 ? "cash" : "card",
        at: at(0),
      });
      await move(db, place, customer, { type: "REDEEM", points: 5 + index, at: at(700) });
      if ((back + index) % 9 === 0) {
        await move(db, place, customer, { reverses: made.id, at: at(back === 0 ? 900 : 1500) });
      }
    }
  }
}

beforeAll(async () => {
  for (const seed of [1, 2]) {
    const shop = await makeMerchant(db);
    shops.push(shop);
    await fill(shop, seed);
  }
  const second = shops[1];
  await db.pointsConfig.create({
    data: {
      merchantId: second?.merchant.id,
      version: 1,
      dirhamsPerPoint: 125,
      minTopUp: 1,
      maxTopUp: 5000,
      maxBalance: 20000,
      undoMinutes: 15,
    },
  });
  await makeMerchant(db, { status: "pending", businessName: "Waiting" });
});

/** The same figures, one movement at a time in JavaScript. */
function bruteForce(movements: Movement[]): MoneyFigures {
  const figures = {
    taken: 0,
    cash: 0,
    redeemed: 0,
    takenPoints: 0,
    redeemedPoints: 0,
    topUps: 0,
    redeems: 0,
  };
  const byId = new Map(all.map((movement) => [movement.id, movement]));
  for (const movement of movements) {
    const { type, points, rate } = movement;
    const { type: kind, tender } = byId.get(movement.reversesId ?? "") ?? movement;
    if (kind === "TOP_UP") {
      figures.taken += points * rate;
      if (tender === "cash") figures.cash += points * rate;
      figures.takenPoints += points;
      if (type === "TOP_UP") figures.topUps += 1;
    } else {
      figures.redeemed -= points * rate;
      figures.redeemedPoints -= points;
      if (type === "REDEEM") figures.redeems += 1;
    }
  }
  return figures;
}

let all: Movement[] = [];
const onDay = (day: string, merchantId?: string) =>
  all.filter(
    (one) => qatarDay(one.createdAt) === day && (merchantId === undefined || one.merchantId === merchantId),
  );

async function checkEverything(): Promise<void> {
  all = await db.movement.findMany();
  const customers = await db.customer.findMany({ where: { status: { not: "erased" } } });
  const rates = new Map(shops.map((shop, index) => [shop.merchant.id, index === 1 ? 125 : 100]));
  const admin = await makeAdmin(db);
  const readers = [
    { user: admin, merchantId: undefined },
    ...shops.map((shop) => ({ user: shop.owner, merchantId: shop.merchant.id })),
  ];
  for (const { user, merchantId } of readers) {
    const ctx = contextOf(db, user, { clock: () => NOW });
    const view = await dashboard(ctx, {});
    const own = customers.filter((one) => merchantId === undefined || one.merchantId === merchantId);
    const since = (day: string) => own.filter((one) => one.registeredAt >= dayStart(day)).length;
    expect(view.money?.today).toEqual(bruteForce(onDay(TODAY, merchantId)));
    // Up to the same time of the day.
    const until = new Date(NOW.getTime() - 24 * 3_600_000);
    const early = onDay(addDays(TODAY, -1), merchantId).filter((one) => one.createdAt < until);
    expect(view.money?.yesterday).toEqual(bruteForce(early));
    expect(view.money?.days).toEqual(
      lastDays(TODAY, 30).map((day) => {
        const {
          cash: _cash,
          topUps: _topUps,
          redeems: _redeems,
          ...drawn
        } = bruteForce(onDay(day, merchantId));
        return { day, ...drawn };
      }),
    );
    const points = own.reduce((sum, one) => sum + one.balance, 0);
    const dirhams = own.reduce((sum, one) => sum + one.balance * (rates.get(one.merchantId) ?? 0), 0);
    expect(view.money?.outstanding).toEqual({ points, cashValue: cashValue(dirhams, 1) });
    const month = lastDays(TODAY, 30).flatMap((day) => onDay(day, merchantId));
    const branchIds = [...new Set(month.map((one) => one.branchId))];
    const best = branchIds
      .map((id) => ({ id, ...bruteForce(month.filter((one) => one.branchId === id)) }))
      .sort((a, b) => b.taken - a.taken);
    expect(
      view.money?.branches.map(({ branch, merchant: _, ...figures }) => ({ id: branch.id, ...figures })),
    ).toEqual(best);
    expect(view.customers).toEqual({
      total: own.length,
      today: since(TODAY),
      yesterday: own.filter(
        (one) => one.registeredAt >= dayStart(addDays(TODAY, -1)) && one.registeredAt < until,
      ).length,
      month: since(`${TODAY.slice(0, 8)}01`),
    });
    for (const status of [undefined, ...CUSTOMER_STATUSES]) {
      const list = await listCustomers(ctx, listCustomersSchema.parse({ status }));
      const where = { merchantId, status: status ?? ({ not: "erased" } as const) };
      expect(list.total, status).toBe(await db.customer.count({ where }));
    }
    const totals = await customerTotals(ctx, {});
    expect(totals).toEqual({
      customers: view.customers,
      outstanding: view.money?.outstanding,
      today: view.money?.today,
    });
  }
}

test("every number is right while no day is summed", async () => {
  await checkEverything();
});

test("every number is right when the job has summed some days, all of them, and once more", async () => {
  for (const day of [addDays(TODAY, -12), addDays(TODAY, -3), TODAY, TODAY]) {
    const now = new Date(dayStart(day).getTime() + 60_000);
    await waitForOpenTransactions(db);
    await fillDailySums(db);
    await fillMerchantDays(db, { now });
    await checkEverything();
  }
});

test("an administrator sees merchants that wait, and nothing of customers or money", async () => {
  const admin = contextOf(db, await makeAdmin(db, { role: "admin" }), { clock: () => NOW });
  const view = await dashboard(admin, {});
  expect(view).toMatchObject({
    money: null,
    customers: null,
    waiting: { count: 1, first: [{ businessName: "Waiting" }] },
  });
  await expect(customerTotals(admin, {})).rejects.toThrow("forbidden");
  const owner = contextOf(db, shops[0]?.owner ?? (await makeAdmin(db)), { clock: () => NOW });
  expect((await dashboard(owner, {})).waiting).toBeNull();
});

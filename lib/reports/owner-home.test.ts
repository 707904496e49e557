import { expect, test } from "vitest";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeBranch,
  makeCustomer,
  makeMerchant,
  makeWorker,
} from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { move } from "@/lib/testing/movements";
import { chartDays, homeSpans } from "./model/owner-home";
import { ownerHome } from "./owner-home";

const db = await testDb();
// 10:30 in Qatar.
const NOW = new Date("2026-07-15T07:30:00Z");
const TODAY = qatarDay(NOW);
const at = (back: number, hour: number) =>
  new Date(dayStart(addDays(TODAY, -back)).getTime() + hour * 3_600_000);

async function makeShop() {
  const shop = await makeMerchant(db);
  await db.pointsConfig.create({
    data: {
      merchantId: shop.merchant.id,
      version: 1,
      dirhamsPerPoint: 125,
      minTopUp: 1,
      maxTopUp: 5000,
      maxBalance: 20000,
      undoMinutes: 15,
    },
  });
  const customer = await makeCustomer(db, shop);
  return { shop, customer, ctx: contextOf(db, shop.owner, { clock: () => NOW }) };
}

/** Runs the check on movements that no sum has, and again on the sums. */
async function summedOrNot(check: () => Promise<void>): Promise<void> {
  await check();
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  await check();
}

test("today is compared with the same hours a week ago, and yesterday with a whole day", async () => {
  const { shop, customer, ctx } = await makeShop();
  // The ledger keeps the order of a customer's movements.
  await move(db, shop, customer, { points: 9, at: at(8, 23) });
  await move(db, shop, customer, { points: 40, at: at(7, 10) });
  await move(db, shop, customer, { points: 400, at: at(7, 11) });
  await move(db, shop, customer, { points: 7, at: at(1, 23) });
  await move(db, shop, customer, { points: 100, at: at(0, 9) });
  await summedOrNot(async () => {
    const today = await ownerHome(ctx, {});
    expect([today.now.taken, today.before.taken]).toEqual([12_500, 5_000]);
    const yesterday = await ownerHome(ctx, { period: "yesterday" });
    expect([yesterday.now.taken, yesterday.before.taken]).toEqual([875, 1_125]);
    // Six whole days and today's hours, each a week earlier.
    const week = await ownerHome(ctx, { period: "week" });
    expect([week.now.taken, week.before.taken]).toEqual([12_500 + 875, 1_125 + 5_000]);
    const custom = await ownerHome(ctx, {
      period: "custom",
      from: addDays(TODAY, -7),
      to: addDays(TODAY, -7),
    });
    expect(custom.now.taken).toBe(55_000);
    expect(today.days.at(-8)).toMatchObject({ taken: 55_000, takenPoints: 440 });
    expect(today.branches[0]?.days.slice(-2)).toEqual([875, 12_500]);
  });
});

test("money is net of what was undone, cash stands apart, and the value is of the time", async () => {
  const { shop, customer, ctx } = await makeShop();
  const cash = await move(db, shop, customer, { points: 100, tender: "cash", at: at(0, 8) });
  await move(db, shop, customer, { points: 20, tender: "cash", at: at(0, 8) });
  const card = await move(db, shop, customer, { points: 60, tender: "card", at: at(0, 8) });
  await move(db, shop, customer, { points: 30, tender: "bank", at: at(0, 8) });
  const redeemed = await move(db, shop, customer, { type: "REDEEM", points: 50, at: at(0, 9) });
  await move(db, shop, customer, { type: "REDEEM", points: 10, at: at(0, 9) });
  for (const { id } of [redeemed, card, cash])
    await move(db, shop, customer, { reverses: id, at: at(0, 10) });
  await db.pointsConfig.create({
    data: {
      merchantId: shop.merchant.id,
      version: 2,
      dirhamsPerPoint: 200,
      minTopUp: 1,
      maxTopUp: 5000,
      maxBalance: 20000,
      undoMinutes: 15,
    },
  });
  await summedOrNot(async () => {
    const home = await ownerHome(ctx, {});
    const drawn = { taken: 50 * 125, redeemed: 10 * 125, takenPoints: 50, redeemedPoints: 10 };
    expect(home.now).toEqual({ ...drawn, cash: 20 * 125, topUps: 4, redeems: 2 });
    expect(home.days.at(-1)).toEqual({ day: TODAY, ...drawn });
    expect(home.owed).toEqual({ points: 40, cashValue: "80.00" });
  });
});

test("each branch has its figures; an open branch narrows all but what is owed; another merchant's is none", async () => {
  const { shop, customer, ctx } = await makeShop();
  const pearl = await makeBranch(db, shop, { name: "The Pearl" });
  await makeBranch(db, shop, { name: "Empty" });
  const closed = await makeBranch(db, shop, { archivedAt: NOW });
  await move(db, shop, customer, { points: 10, at: at(0, 9) });
  await move(db, { ...shop, branch: pearl }, customer, { points: 80, at: at(0, 9) });
  const other = await makeShop();
  await move(db, other.shop, other.customer, { points: 999, at: at(0, 9) });
  await summedOrNot(async () => {
    const all = await ownerHome(ctx, {});
    expect(all.branches.map(({ branch, now }) => [branch?.name, now.taken])).toEqual([
      ["The Pearl", 10_000],
      [shop.branch.name, 1_250],
      ["Empty", 0],
    ]);
    const one = await ownerHome(ctx, { branchId: pearl.id });
    expect([one.now.taken, one.branches.length, one.days.at(-1)?.taken]).toEqual([10_000, 1, 10_000]);
    expect(one.owed).toEqual(all.owed);
    // The page cannot name an archived branch, so its figures are the whole shop's.
    expect(await ownerHome(ctx, { branchId: closed.id })).toEqual(all);
    expect(await ownerHome(ctx, { branchId: other.shop.branch.id })).toEqual(all);
  });
  await expect(ownerHome(contextOf(db, await makeAdmin(db)), {})).rejects.toThrow("forbidden");
  await expect(ownerHome(contextOf(db, await makeWorker(db, shop)), {})).rejects.toThrow("forbidden");
});

test("a new shop has a checklist until all of it is done", async () => {
  const { shop, customer, ctx } = await makeShop();
  const checklist = async () => (await ownerHome(ctx, {})).checklist;
  expect(await checklist()).toEqual({
    image: false,
    branch: true,
    worker: false,
    poster: false,
    topUp: false,
  });
  await makeWorker(db, shop);
  await db.merchant.update({ where: { id: shop.merchant.id }, data: { imageKey: "image/x", posterAt: NOW } });
  expect(await checklist()).toMatchObject({ image: true, worker: true, poster: true, topUp: false });
  await move(db, shop, customer, { points: 10 });
  expect(await checklist()).toBeNull();
});

test("a period that ends today is cut off at the same hour; a month is compared with the same days of the last", () => {
  const spans = (query: Parameters<typeof homeSpans>[0], now: string) => {
    const { now: asked, before } = homeSpans(query, new Date(now));
    return [asked.from, asked.to, before.from, before.to, before.until?.toISOString() ?? null];
  };
  const march = "2026-03-31T07:30:00Z";
  expect(spans({}, march)).toEqual([
    "2026-03-31",
    "2026-03-31",
    "2026-03-24",
    "2026-03-24",
    "2026-03-24T07:30:00.000Z",
  ]);
  expect(spans({ period: "month" }, march)).toEqual([
    "2026-03-01",
    "2026-03-31",
    "2026-02-01",
    "2026-02-28",
    "2026-02-28T07:30:00.000Z",
  ]);
  expect(spans({ period: "custom", from: "2026-03-01", to: "2026-03-09" }, march)).toEqual([
    "2026-03-01",
    "2026-03-09",
    "2026-02-15",
    "2026-02-23",
    null,
  ]);
  // Nonsense is mended: the future, the wrong order, more than a year.
  expect(spans({ period: "custom", from: "2027-01-01", to: "2027-02-01" }, march).slice(0, 2)).toEqual([
    "2026-03-31",
    "2026-03-31",
  ]);
  expect(spans({ period: "custom", from: "1990-01-01", to: "2026-03-01" }, march).slice(0, 2)).toEqual([
    "2025-03-01",
    "2026-03-01",
  ]);
  // One minute after midnight in Qatar.
  expect(spans({}, "2026-03-30T21:01:00Z").at(-1)).toBe("2026-03-23T21:01:00.000Z");
});

test("this week begins on Sunday and is compared with the same weekdays of the week before", () => {
  // A Wednesday.
  const { now, before } = homeSpans({ period: "thisWeek" }, NOW);
  expect([now.from, now.to, before.from, before.to]).toEqual([
    "2026-07-12",
    "2026-07-15",
    "2026-07-05",
    "2026-07-08",
  ]);
  expect(before.until?.toISOString()).toBe("2026-07-08T07:30:00.000Z");
  // On a Sunday it is that day alone.
  expect(homeSpans({ period: "thisWeek" }, new Date("2026-07-12T07:30:00Z")).now.from).toBe("2026-07-12");
});

test("the chart ends with the period, and has all of its days up to three months", async () => {
  const daysOf = (from: string, to: string) => {
    const days = chartDays({ from, to, until: null });
    return [days[0], days.at(-1), days.length];
  };
  expect(daysOf("2026-07-01", "2026-07-07")).toEqual(["2026-06-08", "2026-07-07", 30]);
  expect(daysOf("2026-05-01", "2026-06-30")).toEqual(["2026-05-01", "2026-06-30", 61]);
  expect(daysOf("2025-07-01", "2026-06-30")).toEqual(["2026-03-31", "2026-06-30", 92]);
  const { shop, customer, ctx } = await makeShop();
  await move(db, shop, customer, { points: 8, at: at(40, 9) });
  await move(db, shop, customer, { points: 100, at: at(0, 9) });
  await summedOrNot(async () => {
    const day = addDays(TODAY, -40);
    const home = await ownerHome(ctx, { period: "custom", from: day, to: day });
    expect([home.days.length, home.days.at(-1)?.day, home.days.at(-1)?.taken]).toEqual([30, day, 1_000]);
    expect(home.branches[0]?.days.at(-1)).toBe(1_000);
  });
});

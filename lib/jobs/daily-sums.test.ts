import { expect, test, vi } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { move } from "@/lib/testing/movements";
import * as sumsJob from "./daily-sums";
import { fillMerchantDays, repairSumsTask } from "./daily-sums";

const db = await testDb();
const shop = await makeMerchant(db);
const customer = await makeCustomer(db, shop, { registeredAt: new Date("2026-02-20T10:00:00Z") });

/** Counts all that is committed. */
async function fillDailySums(): Promise<number> {
  await waitForOpenTransactions(db);
  return sumsJob.fillDailySums(db);
}

const movement = (type: "TOP_UP" | "REDEEM", points: number, at: string) =>
  move(db, shop, customer, { type, points, at: new Date(at) });

const sums = async () => {
  const rows = await db.dailySum.findMany({ orderBy: [{ day: "asc" }, { type: "asc" }] });
  return rows.map((row) => [row.day.toISOString().slice(0, 10), row.type, row.movements, Number(row.points)]);
};
const merchantDays = async () => {
  const rows = await db.merchantDay.findMany({ orderBy: { day: "asc" } });
  return rows.map((row) => [row.day.toISOString().slice(0, 10), row.customers, Number(row.points)]);
};

test("a movement is counted once, on its own day, also after the clock was ahead", async () => {
  await movement("TOP_UP", 10, "2026-03-01T08:00:00Z");
  await movement("TOP_UP", 20, "2026-03-01T20:59:59Z");
  // Midnight in Doha is 21:00 UTC.
  await movement("TOP_UP", 40, "2026-03-01T21:00:00Z");
  expect(await fillDailySums()).toBe(3);
  const first = [
    ["2026-03-01", "TOP_UP", 2, 30],
    ["2026-03-02", "TOP_UP", 1, 40],
  ];
  expect(await sums()).toEqual(first);
  expect(await fillDailySums()).toBe(0);
  expect(await sums()).toEqual(first);

  // The clock is four days ahead during a count, and is then corrected.
  const other = await makeCustomer(db, shop);
  await move(db, shop, other, { points: 7, at: new Date("2026-03-07T09:00:00Z") });
  await fillDailySums();
  await movement("REDEEM", 5, "2026-03-02T09:00:00Z");
  const mistake = await movement("TOP_UP", 80, "2026-03-03T09:00:00Z");
  await movement("TOP_UP", 90, "2026-03-03T09:05:00Z");
  await move(db, shop, customer, { reverses: mistake.id, at: new Date("2026-03-03T09:10:00Z") });
  expect(await fillDailySums()).toBe(4);
  expect(await sums()).toEqual([
    ["2026-03-01", "TOP_UP", 2, 30],
    ["2026-03-02", "TOP_UP", 1, 40],
    ["2026-03-02", "REDEEM", 1, -5],
    // The reversal is subtracted from the points, but the number of top-ups stays two.
    ["2026-03-03", "TOP_UP", 2, 90],
    ["2026-03-07", "TOP_UP", 1, 7],
  ]);
  const pockets = await db.pocketDay.findMany({ where: { type: "TOP_UP" }, orderBy: { day: "asc" } });
  // From the first movement on.
  expect(pockets.map(({ day, paid }) => [day.toISOString().slice(8, 10), Number(paid)])).toEqual([
    ["01", 30],
    ["02", 70],
    ["03", 240],
    ["07", 247],
  ]);
});

test("a movement that is committed late is counted after its commit", async () => {
  const before = (await sums()).length;
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  let posted = () => {};
  const isPosted = new Promise<void>((done) => {
    posted = done;
  });
  const slow = db.$transaction(async (tx) => {
    await move(tx as typeof db, shop, customer, { points: 3, at: new Date("2026-03-09T09:00:00Z") });
    posted();
    await held;
  });
  await isPosted;
  const other = await makeCustomer(db, shop);
  await move(db, shop, other, { points: 4, at: new Date("2026-03-09T10:00:00Z") });
  // Movements with a later transaction id than the open transaction are not counted yet.
  expect(await sumsJob.fillDailySums(db)).toBe(0);
  expect((await sums()).length).toBe(before);
  release();
  await slow;
  expect(await fillDailySums()).toBe(2);
  expect((await sums()).at(-1)).toEqual(["2026-03-09", "TOP_UP", 2, 7]);
});

test("the nightly job corrects wrong sums and logs them", async () => {
  await fillMerchantDays(db, { now: new Date("2026-03-12T10:00:00Z") });
  const [right, days] = [await sums(), await merchantDays()];
  expect(days.find(([day]) => day === "2026-03-03")).toEqual(["2026-03-03", 1, 155]);
  await db.$executeRaw`update daily_sums set points = points + 1 where day = '2026-03-01'`;
  await db.$executeRaw`delete from daily_sums where day = '2026-03-02' and type = 'REDEEM'`;
  await db.$executeRaw`insert into daily_sums (day, merchant_id, branch_id, type, movements, points)
    values ('2026-03-05', ${shop.merchant.id}::uuid, ${shop.branch.id}::uuid, 'IMPORT', 1, 5)`;
  await db.$executeRaw`update staff_sums set dirhams = dirhams + 1 where day = '2026-03-01'`;
  await db.$executeRaw`delete from staff_sums where day = '2026-03-02' and type = 'REDEEM'`;
  await db.$executeRaw`update pocket_days set paid = paid - 2 where day = '2026-03-02' and type = 'TOP_UP'`;
  await db.$executeRaw`update merchant_days set customers = 9, points = 1 where day = '2026-03-03'`;
  const report = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await repairSumsTask({ db, transport: undefined as never }, {});
  expect(
    report.mock.calls
      .flatMap(([line]) => {
        const found = /daily sum .* keptIn=(\w+) .* day=(\S+)/.exec(String(line));
        return found ? [found.slice(1)] : [];
      })
      .sort(),
  ).toEqual([
    ["daily_sums", "2026-03-01"],
    ["daily_sums", "2026-03-02"],
    ["daily_sums", "2026-03-05"],
    ["pocket_days", "2026-03-02"],
    ["staff_sums", "2026-03-01"],
    ["staff_sums", "2026-03-02"],
  ]);
  report.mockRestore();
  expect(await sums()).toEqual(right);
  expect((await merchantDays()).filter(([day]) => String(day) < "2026-03-12")).toEqual(days);
});

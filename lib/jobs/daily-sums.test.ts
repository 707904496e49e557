import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { fillDailySums } from "./daily-sums";

const db = await testDb();
const house = await makeMerchant(db);
const customer = await makeCustomer(db, house);

const movement = (type: "TOP_UP" | "REDEEM", points: number, at: string) =>
  move(db, house, customer, { type, points, at: new Date(at) });

const sums = async () => {
  const rows = await db.dailySum.findMany({ orderBy: [{ day: "asc" }, { type: "asc" }] });
  return rows.map((row) => [row.day.toISOString().slice(0, 10), row.type, row.movements, Number(row.points)]);
};

test("days gone by in Qatar are summed once, missed days are caught up, today never", async () => {
  await movement("TOP_UP", 10, "2026-03-01T08:00:00Z");
  await movement("TOP_UP", 20, "2026-03-01T20:59:59Z");
  // Midnight in Doha is 21:00 UTC.
  await movement("TOP_UP", 40, "2026-03-01T21:00:00Z");
  await movement("REDEEM", 5, "2026-03-02T09:00:00Z");
  const mistake = await movement("TOP_UP", 80, "2026-03-03T09:00:00Z");
  await movement("TOP_UP", 90, "2026-03-03T09:05:00Z");
  await move(db, house, customer, { reverses: mistake.id, at: new Date("2026-03-03T09:10:00Z") });

  await fillDailySums(db, { now: new Date("2026-03-02T10:00:00Z") });
  const first = [["2026-03-01", "TOP_UP", 2, 30]];
  expect(await sums()).toEqual(first);

  await fillDailySums(db, { now: new Date("2026-03-02T10:00:00Z") });
  expect(await sums()).toEqual(first);

  await fillDailySums(db, { now: new Date("2026-03-05T10:00:00Z") });
  const all = [
    ...first,
    ["2026-03-02", "TOP_UP", 1, 40],
    ["2026-03-02", "REDEEM", 1, -5],
    // The reversal took its points back from the top-ups; two were made all the same.
    ["2026-03-03", "TOP_UP", 2, 90],
  ];
  expect(await sums()).toEqual(all);
  await fillDailySums(db, { now: new Date("2026-03-05T10:00:00Z"), all: true });
  expect(await sums()).toEqual(all);
});

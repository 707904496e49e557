import { expect, test } from "vitest";
import { addDays, dayStart, qatarDay } from "@/lib/domain/time";
import { testDb } from "@/lib/testing/database";
import { seedDemo } from "../seed";
import { DEMO_MERCHANTS } from "./people";
import { planVisits } from "./plan";
import { isAtTill, planShifts } from "./shifts";

const db = await testDb();
const [karak] = DEMO_MERCHANTS;
if (!karak) throw new Error("the demo has no merchant");

const DAY = "2026-11-16";
const HOUR = 3_600_000;

test.each([1, 6, 13, 23.5])("shifts of a plan made at %s o'clock, on every weekday", (hour) => {
  for (let weekday = 0; weekday < 7; weekday++) {
    const today = addDays(DAY, weekday);
    const now = new Date(dayStart(today).getTime() + hour * HOUR);
    const plan = planVisits(karak, now, 7);
    const { before, days } = planShifts(plan, now);
    expect([...before, ...days.flatMap(({ visits }) => visits)]).toEqual(plan);
    expect(days).toHaveLength(3);
    const served = new Set(plan.filter(isAtTill).map(({ at }) => qatarDay(at)));
    expect(days.map(({ opensAt }) => qatarDay(opensAt))).toEqual([...served].slice(-3));
    for (const { visits, opensAt, paysAt, closesAt } of days) {
      const times = visits.filter(isAtTill).map(({ at }) => at.getTime());
      expect(times.length).toBeGreaterThan(0);
      expect(opensAt.getTime()).toBeLessThan(Math.min(...times));
      expect(times).toContain(paysAt.getTime());
      if (qatarDay(opensAt) === today) expect(closesAt).toBeNull();
      else {
        expect(qatarDay(closesAt ?? now)).toBe(qatarDay(opensAt));
        // A minute is what an undone visit takes.
        expect((closesAt ?? now).getTime()).toBeGreaterThan(Math.max(...times) + 60_000);
        expect((closesAt ?? now).getTime()).toBeLessThan(now.getTime());
      }
    }
    const closed = days.filter(({ closesAt }) => closesAt !== null);
    expect(new Set(closed.map(({ short }) => short))).toEqual(new Set([true, false]));
    expect(closed.filter(({ short }) => short)).toHaveLength(1);
  }
});

test("a seed that broke off before a count is finished by the next one", async () => {
  await db.$executeRaw`
    create function line_is_down() returns trigger language plpgsql as $$ begin raise exception 'the line is down'; end $$`;
  await db.$executeRaw`
    create trigger breaks before update on shifts for each row when (new.period = 2) execute function line_is_down()`;
  await expect(seedDemo(db)).rejects.toThrow("the line is down");
  // A day is posted with its shift, or not at all.
  expect(await db.shift.findMany()).toMatchObject([{ period: 1, difference: 0n }]);
  expect(await db.movement.count({ where: { tillPeriod: { gt: 1 } } })).toBe(0);
  await db.$executeRaw`drop trigger breaks on shifts`;
  await seedDemo(db);
  const shifts = await db.shift.findMany({ orderBy: { period: "asc" }, include: { drawer: true } });
  expect(shifts.map(({ period, drawer }) => [period, drawer.length])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(await db.notice.count()).toBe(1);
  expect(await db.customer.count({ where: { balance: { lt: 0 } } })).toBe(0);
});

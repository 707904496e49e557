import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Known } from "@/lib/db/merchant-days";
import { MOVEMENT_COUNT, MOVEMENT_KIND, ofMerchant } from "@/lib/db/query";
import type { Reach } from "@/lib/domain/actor";
import { addDays, dayStart, lastDays } from "@/lib/domain/time";
import type { BranchTotals, Dashboard, DayFigures } from "@/lib/domain/totals";
import { outstandingOf } from "./counts";

/** Until which day daily_sums may be believed; the days after it are read from the movements. */
export type Summed = { through: string | null };

/** The last day gone by that daily_sums holds (a day on which nothing moved anywhere leaves no trace there). */
export async function summedDays(db: Db, today: string): Promise<Summed> {
  const [row] = await db.$queryRaw<{ day: string | null }[]>`
    select max(day)::text as day from daily_sums where day < ${today}::date`;
  return { through: row?.day ?? null };
}

/** Rows (day, merchant_id, branch_id, type, points, movements) from a day on, from the sums or the movements. */
function summedRows(reach: Reach, from: string, { through }: Summed): Prisma.Sql {
  const unsummed = through === null ? from : later(from, addDays(through, 1));
  const recent = Prisma.sql`
    select (created_at at time zone 'Asia/Qatar')::date as day, merchant_id, branch_id, ${MOVEMENT_KIND} as type,
      points::bigint as points, ${MOVEMENT_COUNT} as movements
    from movements where created_at >= ${dayStart(unsummed)} ${ofMerchant(reach)}`;
  if (through === null) return recent;
  return Prisma.sql`
    select day, merchant_id, branch_id, type, points, movements
    from daily_sums where day <= ${through}::date and day >= ${from}::date ${ofMerchant(reach)}
    union all ${recent}`;
}

const later = (a: string, b: string): string => (a > b ? a : b);

type SumRow = {
  day: string | null;
  branchId: string | null;
  type: string;
  points: bigint;
  movements: bigint;
};

export type Sums = { days: Map<string, DayFigures>; branches: Map<string, DayFigures> };

const none = (): DayFigures => ({ toppedUp: 0, topUps: 0, redeemed: 0, redeems: 0 });

/** What was topped up and redeemed from a day on, a day and a branch, within the reach. */
export async function sumsSince(db: Db, reach: Reach, from: string, summed: Summed): Promise<Sums> {
  const rows = await db.$queryRaw<SumRow[]>`
    select day::text as day, branch_id::text as "branchId", type::text as type,
      sum(points)::bigint as points, sum(movements)::bigint as movements
    from (${summedRows(reach, from, summed)}) as sums
    where type in ('TOP_UP', 'REDEEM')
    group by grouping sets ((day, type), (branch_id, type))`;
  const sums: Sums = { days: new Map(), branches: new Map() };
  for (const row of rows) {
    // What moved at no branch counts for its day only.
    if (row.day === null && row.branchId === null) continue;
    const into = row.day === null ? sums.branches : sums.days;
    const key = row.day ?? row.branchId ?? "";
    into.set(key, add(into.get(key) ?? none(), row));
  }
  return sums;
}

function add(figures: DayFigures, { type, points, movements }: SumRow): DayFigures {
  return type === "TOP_UP"
    ? { ...figures, toppedUp: Number(points), topUps: Number(movements) }
    : { ...figures, redeemed: -Number(points), redeems: Number(movements) };
}

/** A day's figures, zeros when nothing moved. */
export const figuresOf = (sums: Sums, day: string): DayFigures => sums.days.get(day) ?? none();

const DAYS = 30;
const BEST = 5;

async function bestBranches(db: Db, sums: Sums): Promise<BranchTotals[]> {
  const best = [...sums.branches]
    .filter(([, figures]) => figures.toppedUp > 0)
    .sort(([a, one], [b, other]) => other.toppedUp - one.toppedUp || (a < b ? -1 : 1))
    .slice(0, BEST);
  const branches = await db.branch.findMany({
    where: { id: { in: best.map(([id]) => id) } },
    select: { id: true, name: true, city: true, merchant: { select: { id: true, businessName: true } } },
  });
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  return best.flatMap(([id, figures]) => {
    const branch = byId.get(id);
    if (!branch) return [];
    const { merchant, ...rest } = branch;
    return [{ ...figures, branch: rest, merchant }];
  });
}

/** What moved within the reach: today, yesterday, thirty days, the best branches, and what customers hold. */
export async function moneyTotals(
  db: Db,
  reach: Reach,
  day: string,
  known: Known,
): Promise<NonNullable<Dashboard["money"]>> {
  const summed = await summedDays(db, day);
  const days = lastDays(day, DAYS);
  const [sums, outstanding] = await Promise.all([
    sumsSince(db, reach, days[0] ?? day, summed),
    outstandingOf(db, reach, known),
  ]);
  return {
    today: figuresOf(sums, day),
    yesterday: figuresOf(sums, addDays(day, -1)),
    days: days.map((one) => ({ day: one, ...figuresOf(sums, one) })),
    branches: await bestBranches(db, sums),
    outstanding,
  };
}

import type { Db } from "@/lib/db/client";
import type { Known } from "@/lib/db/merchant-days";
import type { Reach } from "@/lib/domain/actor";
import { addDays, lastDays } from "@/lib/domain/days";
import type { BranchTotals, Dashboard } from "@/lib/domain/totals";
import { outstandingOf } from "./outstanding";
import { figuresOf, type Sums, summedDays, sumsSince } from "./sums";

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

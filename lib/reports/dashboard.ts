import { type Db, hasSeparateRole } from "@/lib/db/client";
import { readMerchantDays } from "@/lib/db/merchant-days";
import { summedUntil } from "@/lib/db/sums";
import { authorize, hasPermission, type Reach } from "@/lib/domain/actor";
import { BRANCH_REF } from "@/lib/domain/branch-name";
import { nothingSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/merchant-name";
import type { StaffPermission } from "@/lib/domain/policy";
import { addDays, dayBefore, dayStart, lastDays, qatarDay } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import { customerCounts, figuresBetween, figuresOf, outstandingOf, type Sums, sumsSince } from "./counts";
import type { BranchTotals, Dashboard } from "./model/totals";

/** The caller's dashboard: only the blocks that the policy lets this role see. */
export const dashboard = operation({
  permission: "totals.read",
  input: nothingSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx): Promise<Dashboard> => {
    const day = qatarDay(ctx.clock());
    const reachOf = (permission: StaffPermission): Reach | null =>
      hasPermission(ctx.actor, permission) ? authorize(ctx.actor, permission) : null;
    const movements = reachOf("movements.read");
    const people = reachOf("customers.read");
    const merchants = reachOf("merchants.read");
    const known = await readMerchantDays(ctx.db, day);
    const [money, customers, waiting, apart] = await Promise.all([
      movements && moneyTotals(ctx.db, movements, day, ctx.clock()),
      people && customerCounts(ctx.db, people, ctx.clock(), known),
      merchants && waitingMerchants(ctx.db),
      merchants && hasSeparateRole(ctx.db),
    ]);
    return { day, money, customers, waiting, apart };
  },
});

/** The merchants that wait for a decision: how many, and the five that have waited longest. */
async function waitingMerchants(db: Db): Promise<NonNullable<Dashboard["waiting"]>> {
  const where = { status: "pending" } as const;
  const [count, rows] = await Promise.all([
    db.merchant.count({ where }),
    db.merchant.findMany({
      where,
      orderBy: { createdAt: "asc" },
      take: 5,
      select: { ...MERCHANT_REF, firstName: true, lastName: true, createdAt: true },
    }),
  ]);
  const first = rows.map(({ firstName, lastName, ...row }) => ({
    ...row,
    owner: `${firstName} ${lastName}`,
  }));
  return { count, first };
}

const DAYS = 30;
const BEST = 5;

async function bestBranches(db: Db, sums: Sums): Promise<BranchTotals[]> {
  const best = [...sums.branches]
    .filter(([, figures]) => figures.money.taken > 0)
    .sort(([a, one], [b, other]) => other.money.taken - one.money.taken || (a < b ? -1 : 1))
    .slice(0, BEST);
  const branches = await db.branch.findMany({
    where: { id: { in: best.map(([id]) => id) } },
    select: { ...BRANCH_REF, merchant: { select: MERCHANT_REF } },
  });
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  return best.flatMap(([id, figures]) => {
    const branch = byId.get(id);
    if (!branch) return [];
    const { merchant, ...rest } = branch;
    return [{ ...figures, branch: rest, merchant }];
  });
}

/**
 * Answers the money within the reach: today, yesterday, thirty days, the best branches, and the customers'
 * balances.
 */
async function moneyTotals(
  db: Db,
  reach: Reach,
  day: string,
  now: Date,
): Promise<NonNullable<Dashboard["money"]>> {
  const summed = await summedUntil(db);
  const days = lastDays(day, DAYS);
  const [sums, yesterday, outstanding] = await Promise.all([
    sumsSince(db, reach, days[0] ?? day, summed),
    figuresBetween(db, reach, dayStart(addDays(day, -1)), dayBefore(now)),
    outstandingOf(db, reach, summed),
  ]);
  return {
    today: figuresOf(sums, day),
    yesterday,
    days: days.map((one) => ({ day: one, ...figuresOf(sums, one) })),
    branches: await bestBranches(db, sums),
    outstanding,
  };
}

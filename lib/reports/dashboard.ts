import { type Db, hasSeparateRole } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { andMerchant, ofMerchant } from "@/lib/db/query";
import {
  customerCountRows,
  heldPoints,
  type KnownDays,
  readMerchantDays,
  type Summed,
  summedUntil,
} from "@/lib/db/sums";
import { authorize, hasPermission, type Reach } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import { isId } from "@/lib/domain/is-id";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import type { StaffPermission } from "@/lib/domain/policy";
import { addDays, dayBefore, dayStart, lastDays, monthStart, qatarDay } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import type { MoneyFigures } from "./model/owner-home";
import type { BranchTotals, CustomerCounts, CustomerTotals, Dashboard, Outstanding } from "./model/totals";
import { dayOf, FIGURES, rowsOfMovements, summedRows, totalMoney } from "./money";

/** The customers, without the erased; and those of today, of yesterday up to this time, and of this month. */
async function customerCounts(db: Db, reach: Reach, now: Date, known: KnownDays): Promise<CustomerCounts> {
  const day = qatarDay(now);
  const today = dayStart(day);
  const yesterday = dayStart(addDays(day, -1));
  const month = dayStart(monthStart(day));
  const since = new Date(Math.min(month.getTime(), yesterday.getTime()));
  const [counts] = await db.$queryRaw<CustomerCounts[]>`
    select (
        select coalesce(sum(customers), 0)::int
        from (${customerCountRows(Prisma.sql`status = 'erased'`, reach, known)}) as counts(customers)
      ) as total,
      count(*) filter (where registered_at >= ${today})::int as today,
      count(*) filter (where registered_at >= ${yesterday} and registered_at < ${dayBefore(now)})::int as yesterday,
      count(*) filter (where registered_at >= ${month})::int as month
    from customers where registered_at >= ${since} and status <> 'erased' ${andMerchant(reach)}`;
  return counts ?? { total: 0, today: 0, yesterday: 0, month: 0 };
}

/** The caller's customers in numbers: how many, what they hold, what moved today (Asia/Qatar). */
export const customerTotals = operation({
  permission: "customers.read",
  input: nothingSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx): Promise<CustomerTotals> => {
    const day = qatarDay(ctx.clock());
    const [summed, known] = await Promise.all([summedUntil(ctx.db), readMerchantDays(ctx.db, day)]);
    const [customers, outstanding, sums] = await Promise.all([
      customerCounts(ctx.db, ctx.reach, ctx.clock(), known),
      outstandingOf(ctx.db, ctx.reach, summed),
      sumsSince(ctx.db, ctx.reach, day, summed),
    ]);
    return { customers, outstanding, today: figuresOf(sums, day) };
  },
});

/** The points all customers within the reach hold together, and their worth at the rates in force. */
export async function outstandingOf(db: Db, reach: Reach, summed: Summed): Promise<Outstanding> {
  const [row] = await db.$queryRaw<{ points: bigint; dirhams: bigint }[]>`
    select coalesce(sum(held.points), 0)::bigint as points,
      coalesce(sum(held.points * config.dirhams_per_point), 0)::bigint as dirhams
    from (
      select merchant_id, sum(points) as points
      from (${heldPoints(reach, summed)}) as parts(merchant_id, points) group by merchant_id
    ) held cross join lateral points_config_in_force(held.merchant_id) config`;
  return { points: Number(row?.points ?? 0n), cashValue: cashValue(row?.dirhams ?? 0n, 1) };
}

/** The money by its day or its branch: the id of a branch is not a day. */
type Sums = Map<string, MoneyFigures>;

async function sumsSince(db: Db, reach: Reach, from: string, summed: Summed): Promise<Sums> {
  const rows = await db.$queryRaw<(MoneyFigures & { key: string | null })[]>`
    select coalesce(day::text, branch_id::text) as key, ${FIGURES}
    from (${summedRows(ofMerchant(reach), { from }, summed)}) as sums
    where type in ('TOP_UP', 'REDEEM') group by grouping sets ((day), (branch_id))`;
  // Movements at no branch count for their day only.
  return new Map(rows.flatMap(({ key, ...figures }) => (key === null ? [] : [[key, figures] as const])));
}

const figuresOf = (sums: Sums, day: string): MoneyFigures => sums.get(day) ?? totalMoney();

/** Answers the money between two moments less than a day apart, within the reach. */
async function figuresBetween(db: Db, reach: Reach, from: Date, until: Date): Promise<MoneyFigures> {
  const moved = rowsOfMovements(
    Prisma.sql`created_at >= ${from} and created_at < ${until} ${andMerchant(reach)}`,
  );
  return totalMoney(await db.$queryRaw<MoneyFigures[]>`select ${FIGURES} from (${moved}) as moved`);
}

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
  const best = [...sums]
    .filter(([key, { taken }]) => isId(key) && taken > 0)
    .sort(([a, one], [b, other]) => other.taken - one.taken || (a < b ? -1 : 1))
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

async function moneyTotals(db: Db, reach: Reach, day: string, now: Date): Promise<Dashboard["money"]> {
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
    days: days.map((one) => dayOf(one, figuresOf(sums, one))),
    branches: await bestBranches(db, sums),
    outstanding,
  };
}

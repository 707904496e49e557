import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_KIND } from "@/lib/db/query";
import { type Summed, unsummed } from "@/lib/db/sums";
import { addDays, dayStart } from "@/lib/domain/time";
import type { HomeSpans, MoneyDay, MoneyFigures, PeriodSpan } from "./model/owner-home";

/** The merchant, and one of its branches where only that is asked for. */
export type MoneyScope = { merchantId: string; branchId?: string };

const at = ({ merchantId, branchId }: MoneyScope): Prisma.Sql =>
  branchId
    ? Prisma.sql`merchant_id = ${merchantId}::uuid and branch_id = ${branchId}::uuid`
    : Prisma.sql`merchant_id = ${merchantId}::uuid`;

/** A movement's worth and the cash in it, as daily_sums has them. in_cash is a call a row: only reversals need it. */
export const DIRHAMS = Prisma.sql`points::bigint * rate as dirhams,
  case when case when reverses_id is null then tender = 'cash' else in_cash(null, reverses_id) end
    then points::bigint * rate else 0 end as cash`;

/** The columns that sums of movements need. */
const MOVED = Prisma.sql`branch_id, ${MOVEMENT_KIND} as type, points::bigint as points, ${DIRHAMS}`;

/** The whole days of a span, without the last one if the span ends during it. */
const wholeDays = ({ from, to, until }: PeriodSpan) => ({ from, to: until ? addDays(to, -1) : to });

/** Rows of a span: the sums of its whole days, movements that no sum has yet, and the hours of its last day. */
function spanRows(part: "now" | "before", place: MoneyScope, span: PeriodSpan, summed: Summed): Prisma.Sql {
  const { from, to } = wholeDays(span);
  const whole = Prisma.sql`
    select ${part} as part, branch_id, type, points, dirhams, cash
    from daily_sums where ${at(place)} and day between ${from}::date and ${to}::date
    union all
    select ${part}, ${MOVED} from movements where ${unsummed(summed, [
      at(place),
      Prisma.sql`created_at >= ${dayStart(from)} and created_at < ${dayStart(addDays(to, 1))}`,
    ])}`;
  if (!span.until) return whole;
  return Prisma.sql`${whole}
    union all
    select ${part}, ${MOVED} from movements where ${at(place)}
      and created_at >= ${dayStart(span.to)} and created_at < ${span.until}`;
}

type SpanRow = {
  part: "now" | "before";
  branchId: string | null;
  type: "TOP_UP" | "REDEEM";
  dirhams: bigint;
  cash: bigint;
};
export type BranchMoney = Record<"now" | "before", MoneyFigures>;

export const noMoney = (): MoneyFigures => ({ taken: 0, cash: 0, redeemed: 0 });
export const noBranchMoney = (): BranchMoney => ({ now: noMoney(), before: noMoney() });

/** Answers the dirhams taken and redeemed in both spans, by branch (null: at no branch). */
export async function moneyOfBranches(
  db: Db,
  place: MoneyScope,
  spans: HomeSpans,
  summed: Summed,
): Promise<Map<string | null, BranchMoney>> {
  const rows = await db.$queryRaw<SpanRow[]>`
    select part, branch_id::text as "branchId", type::text as type, sum(dirhams)::bigint as dirhams,
      sum(cash)::bigint as cash
    from (
      ${spanRows("now", place, spans.now, summed)} union all ${spanRows("before", place, spans.before, summed)}
    ) as moved where type in ('TOP_UP', 'REDEEM') group by 1, 2, 3`;
  const branches = new Map<string | null, BranchMoney>();
  for (const { part, branchId, type, dirhams, cash } of rows) {
    const branch = branches.get(branchId) ?? noBranchMoney();
    branches.set(branchId, branch);
    if (type === "TOP_UP") Object.assign(branch[part], { taken: Number(dirhams), cash: Number(cash) });
    else branch[part].redeemed = 0 - Number(dirhams);
  }
  return branches;
}

/** The sum of what the branches took and redeemed. */
export function totalMoney(branches: Iterable<BranchMoney>, part: "now" | "before"): MoneyFigures {
  const total = noMoney();
  for (const branch of branches) {
    total.taken += branch[part].taken;
    total.cash += branch[part].cash;
    total.redeemed += branch[part].redeemed;
  }
  return total;
}

type DayRow = {
  day: string;
  branchId: string | null;
  type: "TOP_UP" | "REDEEM";
  points: bigint;
  dirhams: bigint;
};
export type MoneyDays = { days: MoneyDay[]; taken: Map<string | null, number[]> };

/** The sums taken and redeemed on each of the days (consecutive, oldest first): in all, and taken by branch. */
export async function moneyOfDays(
  db: Db,
  place: MoneyScope,
  days: readonly string[],
  summed: Summed,
): Promise<MoneyDays> {
  const from = days[0] ?? "";
  const rows = await db.$queryRaw<DayRow[]>`
    select day::text as day, branch_id::text as "branchId", type::text as type, sum(points)::bigint as points,
      sum(dirhams)::bigint as dirhams
    from (
      select day, branch_id, type, points, dirhams
      from daily_sums where ${at(place)} and day between ${from}::date and ${days.at(-1)}::date
      union all
      select (created_at at time zone 'Asia/Qatar')::date, branch_id, ${MOVEMENT_KIND}, points::bigint,
        points::bigint * rate
      from movements where ${unsummed(summed, [at(place), Prisma.sql`created_at >= ${dayStart(from)}`])}
    ) as moved where type in ('TOP_UP', 'REDEEM') group by 1, 2, 3`;
  const sums = days.map((day) => ({ day, taken: 0, redeemed: 0, takenPoints: 0, redeemedPoints: 0 }));
  const indexOf = new Map(days.map((day, index) => [day, index]));
  const taken = new Map<string | null, number[]>();
  for (const { day, branchId, type, points, dirhams } of rows) {
    const index = indexOf.get(day);
    const sum = sums[index ?? -1];
    if (index === undefined || !sum) continue;
    if (type === "REDEEM") {
      sum.redeemed -= Number(dirhams);
      sum.redeemedPoints -= Number(points);
      continue;
    }
    sum.taken += Number(dirhams);
    sum.takenPoints += Number(points);
    const own = taken.get(branchId) ?? days.map(() => 0);
    taken.set(branchId, own);
    own[index] = Number(dirhams);
  }
  return { days: sums, taken };
}

import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/query";
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

/** A sum of movements of a kind; each statement names the columns that it reads. */
export type SumRow = {
  day: string | null;
  branchId: string | null;
  type: "TOP_UP" | "REDEEM";
  points: bigint;
  movements: bigint;
  dirhams: bigint;
  cash: bigint;
};

/** Rows (day, branch_id, type, points, movements, dirhams, cash) of some days, from the sums and what is in none yet. */
export function summedRows(
  where: Prisma.Sql[],
  { from, to }: { from: string; to?: string },
  summed: Summed,
): Prisma.Sql {
  const days = [Prisma.sql`day >= ${from}::date`, ...(to ? [Prisma.sql`day <= ${to}::date`] : [])];
  const times = [
    Prisma.sql`created_at >= ${dayStart(from)}`,
    ...(to ? [Prisma.sql`created_at < ${dayStart(addDays(to, 1))}`] : []),
  ];
  return Prisma.sql`
    select day, branch_id, type, points, movements, dirhams, cash
    from daily_sums where ${Prisma.join([...where, ...days], " and ")}
    union all
    select (created_at at time zone 'Asia/Qatar')::date, branch_id, ${MOVEMENT_KIND}, points::bigint,
      ${MOVEMENT_COUNT}, ${DIRHAMS}
    from movements where ${unsummed(summed, [...where, ...times])}`;
}

/** Rows of a span: the sums of its whole days, without the last one if the span ends during it, and that day's hours. */
function spanRows(part: "now" | "before", place: MoneyScope, span: PeriodSpan, summed: Summed): Prisma.Sql {
  const { from, to, until } = span;
  const days = { from, to: until ? addDays(to, -1) : to };
  const whole = Prisma.sql`
    select ${part} as part, branch_id, type, dirhams, cash from (${summedRows([at(place)], days, summed)}) summed`;
  if (!until) return whole;
  return Prisma.sql`${whole}
    union all
    select ${part}, branch_id, ${MOVEMENT_KIND}, ${DIRHAMS} from movements where ${at(place)}
      and created_at >= ${dayStart(to)} and created_at < ${until}`;
}

type SpanRow = Pick<SumRow, "branchId" | "type" | "dirhams" | "cash"> & { part: "now" | "before" };
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

export type MoneyDays = { days: MoneyDay[]; taken: Map<string | null, number[]> };

/** The sums taken and redeemed on each of the days (consecutive, oldest first): in all, and taken by branch. */
export async function moneyOfDays(
  db: Db,
  place: MoneyScope,
  days: readonly string[],
  summed: Summed,
): Promise<MoneyDays> {
  const [from = ""] = days;
  const rows = await db.$queryRaw<Omit<SumRow, "movements" | "cash">[]>`
    select day::text as day, branch_id::text as "branchId", type::text as type, sum(points)::bigint as points,
      sum(dirhams)::bigint as dirhams
    from (${summedRows([at(place)], { from, to: days.at(-1) }, summed)}) as moved
    where type in ('TOP_UP', 'REDEEM') group by 1, 2, 3`;
  const sums = days.map((day) => ({ day, taken: 0, redeemed: 0, takenPoints: 0, redeemedPoints: 0 }));
  const indexOf = new Map(days.map((day, index) => [day, index]));
  const taken = new Map<string | null, number[]>();
  for (const { day, branchId, type, points, dirhams } of rows) {
    const index = indexOf.get(day ?? "");
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

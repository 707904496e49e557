import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/query";
import { type Summed, unsummed } from "@/lib/db/sums";
import { addDays, dayStart } from "@/lib/domain/time";
import type { HomeSpans, MoneyDay, MoneyFigures, PeriodSpan } from "./model/owner-home";

export type MoneyScope = { merchantId: string; branchId?: string };

const at = ({ merchantId, branchId }: MoneyScope): Prisma.Sql =>
  branchId
    ? Prisma.sql`merchant_id = ${merchantId}::uuid and branch_id = ${branchId}::uuid`
    : Prisma.sql`merchant_id = ${merchantId}::uuid`;

/** Rows (day, branch_id, type, points, movements, dirhams, cash) of movements, as daily_sums has them. */
export const rowsOfMovements = (where: Prisma.Sql): Prisma.Sql =>
  // in_cash is a call a row: only reversals need it.
  Prisma.sql`
    select (created_at at time zone 'Asia/Qatar')::date as day, branch_id, ${MOVEMENT_KIND} as type,
      points::bigint as points, ${MOVEMENT_COUNT} as movements, points::bigint * rate as dirhams,
      case when case when reverses_id is null then tender = 'cash' else in_cash(null, reverses_id) end
        then points::bigint * rate else 0 end as cash
    from movements where ${where}`;

/** The same rows of some days, from the sums and what is in none yet. */
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
    union all ${rowsOfMovements(unsummed(summed, [...where, ...times]))}`;
}

const sumOf = (column: Prisma.Sql, type: "TOP_UP" | "REDEEM") =>
  Prisma.sql`coalesce(sum(${column}) filter (where type = ${type}::"MovementType"), 0)::float8`;

/** The columns of MoneyFigures, from such rows. Their sums are whole and far below 2^53. */
export const FIGURES = Prisma.sql`
  ${sumOf(Prisma.sql`dirhams`, "TOP_UP")} as taken, ${sumOf(Prisma.sql`cash`, "TOP_UP")} as cash,
  ${sumOf(Prisma.sql`-dirhams`, "REDEEM")} as redeemed, ${sumOf(Prisma.sql`points`, "TOP_UP")} as "takenPoints",
  ${sumOf(Prisma.sql`-points`, "REDEEM")} as "redeemedPoints", ${sumOf(Prisma.sql`movements`, "TOP_UP")} as "topUps",
  ${sumOf(Prisma.sql`movements`, "REDEEM")} as redeems`;

/** Rows of a span: the sums of its whole days, without the last one if the span ends during it, and that day's hours. */
function spanRows(part: "now" | "before", place: MoneyScope, span: PeriodSpan, summed: Summed): Prisma.Sql {
  const { from, to, until } = span;
  const days = { from, to: until ? addDays(to, -1) : to };
  const whole = Prisma.sql`select ${part} as part, whole.* from (${summedRows([at(place)], days, summed)}) whole`;
  if (!until) return whole;
  const hours = Prisma.sql`${at(place)} and created_at >= ${dayStart(to)} and created_at < ${until}`;
  return Prisma.sql`${whole} union all select ${part}, hours.* from (${rowsOfMovements(hours)}) hours`;
}

/** The money of a branch, or at none (null). */
export type OfBranch = MoneyFigures & { branchId: string | null };
export type SpanMoney = OfBranch & { part: "now" | "before" };

/** Answers the money of both spans, by branch. */
export const moneyOfBranches = (
  db: Db,
  place: MoneyScope,
  spans: HomeSpans,
  summed: Summed,
): Promise<SpanMoney[]> => db.$queryRaw<SpanMoney[]>`
    select part, branch_id::text as "branchId", ${FIGURES}
    from (
      ${spanRows("now", place, spans.now, summed)} union all ${spanRows("before", place, spans.before, summed)}
    ) as moved where type in ('TOP_UP', 'REDEEM') group by 1, 2`;

/** Answers the money of each of the days (consecutive, oldest first), by branch. */
export const moneyOfDays = (
  db: Db,
  place: MoneyScope,
  days: readonly string[],
  summed: Summed,
): Promise<(OfBranch & { day: string })[]> => db.$queryRaw<(OfBranch & { day: string })[]>`
    select day::text as day, branch_id::text as "branchId", ${FIGURES}
    from (${summedRows([at(place)], { from: days[0] ?? "", to: days.at(-1) }, summed)}) as moved
    where type in ('TOP_UP', 'REDEEM') group by 1, 2`;

/** The sum of all; of none, zeros. */
export function totalMoney(all: readonly MoneyFigures[] = []): MoneyFigures {
  const total = (key: keyof MoneyFigures) => all.reduce((sum, one) => sum + one[key], 0);
  return {
    taken: total("taken"),
    cash: total("cash"),
    redeemed: total("redeemed"),
    takenPoints: total("takenPoints"),
    redeemedPoints: total("redeemedPoints"),
    topUps: total("topUps"),
    redeems: total("redeems"),
  };
}

/** A day as a chart draws it. */
export const dayOf = (day: string, money: MoneyFigures): MoneyDay => {
  const { taken, redeemed, takenPoints, redeemedPoints } = money;
  return { day, taken, redeemed, takenPoints, redeemedPoints };
};

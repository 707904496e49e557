import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { customerCountRows, type KnownDays, readMerchantDays } from "@/lib/db/merchant-days";
import { andMerchant } from "@/lib/db/query";
import { heldPoints, type Summed, summedUntil } from "@/lib/db/sums";
import type { Reach } from "@/lib/domain/actor";
import { nothingSchema } from "@/lib/domain/ids";
import { cashValue } from "@/lib/domain/money";
import { addDays, dayBefore, dayStart, monthStart, qatarDay } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import type { CustomerCounts, CustomerTotals, Outstanding } from "./model/totals";
import { figuresOf, sumsSince } from "./sums";

type Row = { total: bigint; today: bigint; yesterday: bigint; month: bigint };

/**
 * How many customers there are (the erased not counted), and how many came today, yesterday up to this time of the day,
 * and this month.
 */
export async function customerCounts(
  db: Db,
  reach: Reach,
  now: Date,
  known: KnownDays,
): Promise<CustomerCounts> {
  const day = qatarDay(now);
  const today = dayStart(day);
  const yesterday = dayStart(addDays(day, -1));
  const month = dayStart(monthStart(day));
  const since = new Date(Math.min(month.getTime(), yesterday.getTime()));
  const [row] = await db.$queryRaw<Row[]>`
    select (
        select sum(customers)::bigint
        from (${customerCountRows(Prisma.sql`status = 'erased'`, reach, known)}) as counts(customers)
      ) as total,
      count(*) filter (where registered_at >= ${today}) as today,
      count(*) filter (where registered_at >= ${yesterday} and registered_at < ${dayBefore(now)}) as yesterday,
      count(*) filter (where registered_at >= ${month}) as month
    from customers where registered_at >= ${since} and status <> 'erased' ${andMerchant(reach)}`;
  return {
    total: Number(row?.total ?? 0n),
    today: Number(row?.today ?? 0n),
    yesterday: Number(row?.yesterday ?? 0n),
    month: Number(row?.month ?? 0n),
  };
}

/** The caller's customers in numbers: how many, what they hold, what moved today (Asia/Qatar). */
export const customerTotals = operation({
  permission: "customers.read",
  input: nothingSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx): Promise<CustomerTotals> => {
    const reach = ctx.reach;
    const day = qatarDay(ctx.clock());
    const [summed, known] = await Promise.all([summedUntil(ctx.db), readMerchantDays(ctx.db, day)]);
    const [customers, outstanding, sums] = await Promise.all([
      customerCounts(ctx.db, reach, ctx.clock(), known),
      outstandingOf(ctx.db, reach, summed),
      sumsSince(ctx.db, reach, day, summed),
    ]);
    return { customers, outstanding, today: figuresOf(sums, day) };
  },
});

type HeldRow = { points: bigint; dirhams: bigint };

/** The points all customers within the reach hold together, and their worth at the rates in force. */
export async function outstandingOf(db: Db, reach: Reach, summed: Summed): Promise<Outstanding> {
  const [row] = await db.$queryRaw<HeldRow[]>`
    select coalesce(sum(held.points), 0)::bigint as points,
      coalesce(sum(held.points * config.dirhams_per_point), 0)::bigint as dirhams
    from (
      select merchant_id, sum(points) as points
      from (${heldPoints(reach, summed)}) as parts(merchant_id, points) group by merchant_id
    ) held cross join lateral points_config_in_force(held.merchant_id) config`;
  return { points: Number(row?.points ?? 0n), cashValue: cashValue(row?.dirhams ?? 0n, 1) };
}

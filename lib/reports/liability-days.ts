import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { summedUntil, unsummed } from "@/lib/db/sums";
import { addDays, dayStart } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import { wantedMerchant } from "./liability";
import { type LiabilityDay, liabilitySchema, SERIES_DAYS } from "./model/liability";

type Row = { day: string | null; paid: bigint; bonus: bigint };

/** Answers the points moved on each day. The row without a day holds the balance before the first day. */
async function movedRows(db: Db, from: string, to: string, merchantId: string | undefined): Promise<Row[]> {
  const summed = await summedUntil(db);
  const own = merchantId ? Prisma.sql`where m.id = ${merchantId}::uuid` : Prisma.empty;
  const ofOwn = merchantId ? [Prisma.sql`merchant_id = ${merchantId}::uuid`] : [];
  return db.$queryRaw<Row[]>`
    with before as materialized (
      select m.id as merchant_id, kind as type, coalesce(l.paid, 0) as paid, coalesce(l.bonus, 0) as bonus
      from merchants m cross join unnest(enum_range(null::"MovementType")) as kind
      left join lateral (
        select paid, bonus from pocket_days d
        where d.merchant_id = m.id and d.type = kind and d.day < ${from}::date order by d.day desc limit 1
      ) l on true ${own}
    ), kept as (
      select d.day, d.paid - coalesce(lag(d.paid) over own, b.paid) as paid,
        d.bonus - coalesce(lag(d.bonus) over own, b.bonus) as bonus
      from before b join pocket_days d on d.merchant_id = b.merchant_id and d.type = b.type
        and d.day between ${from}::date and ${to}::date
      window own as (partition by d.merchant_id, d.type order by d.day)
    ), fresh as (
      select (created_at at time zone 'Asia/Qatar')::date as day, created_at >= ${dayStart(from)} as within,
        paid_points, bonus_points
      from movements where ${unsummed(summed, [Prisma.sql`created_at < ${dayStart(addDays(to, 1))}`, ...ofOwn])}
    )
    select day::text as day, sum(paid)::bigint as paid, sum(bonus)::bigint as bonus from (
      select null::date as day, paid, bonus from before
      union all select day, paid, bonus from kept
      union all select case when within then day end, paid_points, bonus_points from fresh
    ) moved group by 1`;
}

/**
 * Answers the points that customers held at the end of each day from `from` to `to` (days in Qatar), oldest
 * first, within the reach. Of a longer time it answers the last SERIES_DAYS days. Throws merchant_not_found.
 */
export const liabilityDays = operation({
  permission: "reports.read",
  input: liabilitySchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<LiabilityDay[]> => {
    const merchantId = await wantedMerchant(ctx.db, ctx.reach, query.merchantId);
    const earliest = addDays(query.to, 1 - SERIES_DAYS);
    const tooLong = query.from < earliest;
    const first = tooLong ? earliest : query.from;
    const moved = await movedRows(ctx.db, first, query.to, merchantId);
    const byDay = new Map(moved.map(({ day, ...held }) => [day, held]));
    const days: LiabilityDay[] = [];
    const held = { paid: 0, bonus: 0 };
    const add = (day: string | null) => {
      held.paid += Number(byDay.get(day)?.paid ?? 0);
      held.bonus += Number(byDay.get(day)?.bonus ?? 0);
    };
    add(null);
    for (let day = first; day <= query.to; day = addDays(day, 1)) {
      add(day);
      days.push({ day, ...held });
    }
    return days;
  },
});

import type { Db } from "@/lib/db/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/query";
import type { Task } from "./queue";

type FillOptions = { all?: boolean; now?: Date };

/**
 * Sums the movements of the days gone by in Qatar, a merchant, branch and type, reversals with what they reverse. Starts at the latest day that has
 * sums (that day once more, for what was committed over midnight), so missed days are caught up and a repeat changes
 * nothing; `all` starts at the first movement. Never today. Answers how many sums were written.
 */
export async function fillDailySums(db: Db, options: FillOptions = {}): Promise<number> {
  const now = options.now ?? null;
  return db.$executeRaw`
    with span as (
      select
        coalesce(
          (case when ${options.all ?? false} then null else (select max(day) from daily_sums) end)
            ::timestamp at time zone 'Asia/Qatar',
          '-infinity'::timestamptz
        ) as since,
        qatar_day_start(coalesce(${now}::timestamptz, now())) as today
    )
    insert into daily_sums (day, merchant_id, branch_id, type, movements, points)
    select (created_at at time zone 'Asia/Qatar')::date as day, merchant_id, branch_id,
      ${MOVEMENT_KIND} as kind, sum(${MOVEMENT_COUNT}), sum(points)
    from movements, span
    where created_at >= span.since and created_at < span.today
    group by 1, 2, 3, 4
    on conflict (merchant_id, day, branch_id, type)
    do update set movements = excluded.movements, points = excluded.points`;
}

/**
 * Writes down where each merchant stood at the end of the days gone by in Qatar: who ever registered, what its customers
 * held. With fillDailySums' options; the latest day that stands is written once more. Answers how many rows.
 */
export async function fillMerchantDays(db: Db, options: FillOptions = {}): Promise<number> {
  const now = options.now ?? null;
  return db.$executeRaw`
    with span as (
      select first_day, first_day::timestamp at time zone 'Asia/Qatar' as since,
        qatar_day_start(coalesce(${now}::timestamptz, now())) as today
      from (select coalesce(
        case when ${options.all ?? false} then null else (select max(day) from merchant_days) end,
        '-infinity'::date
      ) as first_day) latest
    ), changes as (
      select merchant_id, (at at time zone 'Asia/Qatar')::date as day,
        sum(customers) as customers, sum(points) as points
      from (
        select merchant_id, registered_at as at, 1 as customers, 0 as points from customers, span
        where registered_at >= since and registered_at < today
        union all
        select merchant_id, created_at, 0, points from movements, span
        where created_at >= since and created_at < today
      ) moved group by 1, 2
    )
    insert into merchant_days (merchant_id, day, customers, points)
    select merchant_id, day,
      coalesce(before.customers, 0) + sum(changes.customers) over own,
      coalesce(before.points, 0) + sum(changes.points) over own
    from changes cross join span left join lateral (
      select customers, points from merchant_days d
      where d.merchant_id = changes.merchant_id and d.day < first_day order by d.day desc limit 1
    ) before on true
    window own as (partition by merchant_id order by day)
    on conflict (merchant_id, day) do update set customers = excluded.customers, points = excluded.points`;
}

export const dailySums: Task = async ({ db }) => {
  await fillDailySums(db);
  await fillMerchantDays(db);
};

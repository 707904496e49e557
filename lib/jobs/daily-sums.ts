import type { Db } from "@/lib/db/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/movement-kind";
import type { Task } from "./types";

/**
 * Sums the movements of the days gone by in Qatar, a merchant, branch and type, reversals with what they reverse. Starts at the latest day that has
 * sums (that day once more, for what was committed over midnight), so missed days are caught up and a repeat changes
 * nothing; `all` starts at the first movement. Never today. Answers how many sums were written.
 */
export async function fillDailySums(db: Db, options: { all?: boolean; now?: Date } = {}): Promise<number> {
  const now = options.now ?? null;
  return db.$executeRaw`
    with span as (
      select
        coalesce(
          (case when ${options.all ?? false} then null else (select max(day) from daily_sums) end)
            ::timestamp at time zone 'Asia/Qatar',
          '-infinity'::timestamptz
        ) as since,
        date_trunc('day', coalesce(${now}::timestamptz, now()) at time zone 'Asia/Qatar')
          at time zone 'Asia/Qatar' as today
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

export const dailySums: Task = async ({ db }) => {
  await fillDailySums(db);
};

import type { Db } from "@/lib/db/client";
import type { Reach } from "@/lib/domain/actor";
import { cashValue } from "@/lib/domain/money";
import type { Outstanding } from "@/lib/domain/totals";
import { type Summed, summedRows } from "./sums";

type Row = { points: bigint; dirhams: bigint };

/** The points all customers within the reach hold together, and their worth at the rates in force. */
export async function outstandingOf(db: Db, reach: Reach, summed: Summed): Promise<Outstanding> {
  const [row] = await db.$queryRaw<Row[]>`
    with newest as (
      select distinct on (merchant_id) merchant_id, dirhams_per_point, withdrawn
      from points_configs order by merchant_id, version desc
    ), held as (
      select merchant_id, sum(points) as points
      from (${summedRows(reach, null, summed)}) as sums group by merchant_id
    )
    select coalesce(sum(held.points), 0)::bigint as points,
      coalesce(sum(held.points * coalesce(own.dirhams_per_point, platform.dirhams_per_point, 100)), 0)::bigint as dirhams
    from held
    left join newest own on own.merchant_id = held.merchant_id and not own.withdrawn
    left join newest platform on platform.merchant_id is null`;
  return { points: Number(row?.points ?? 0n), cashValue: cashValue(row?.dirhams ?? 0n, 1) };
}

import type { Db } from "@/lib/db/client";
import { heldPoints, type Known } from "@/lib/db/merchant-days";
import type { Reach } from "@/lib/domain/actor";
import { cashValue } from "@/lib/domain/money";
import type { Outstanding } from "@/lib/domain/totals";

type Row = { points: bigint; dirhams: bigint };

/** The points all customers within the reach hold together, and their worth at the rates in force. */
export async function outstandingOf(db: Db, reach: Reach, known: Known): Promise<Outstanding> {
  const [row] = await db.$queryRaw<Row[]>`
    select coalesce(sum(held.points), 0)::bigint as points,
      coalesce(sum(held.points * config.dirhams_per_point), 0)::bigint as dirhams
    from (
      select merchant_id, sum(points) as points
      from (${heldPoints(reach, known)}) as parts(merchant_id, points) group by merchant_id
    ) held cross join lateral points_config_in_force(held.merchant_id) config`;
  return { points: Number(row?.points ?? 0n), cashValue: cashValue(row?.dirhams ?? 0n, 1) };
}

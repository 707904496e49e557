import type { Reach } from "@/lib/domain/actor";
import type { Db } from "./client";
import { Prisma } from "./generated/client";
import { ofMerchant } from "./query";

/** Until which transaction the sums of the days (daily_sums, pocket_days) hold what was posted. */
export type Summed = { to: bigint };

/** How far the sums have come. What was posted since is read from the movements (`unsummed`). */
export async function summedUntil(db: Db): Promise<Summed> {
  const row = await db.ledgerProgress.findUniqueOrThrow({ where: { what: "sums" } });
  return { to: row.toTx };
}

/**
 * The condition that a movement is in no sum yet. The first part is a number, which the planner knows how rare it is;
 * the second holds in the statement's own snapshot, so that nothing is counted twice when the sums went on meanwhile.
 */
export const unsummed = ({ to }: Summed): Prisma.Sql =>
  Prisma.sql`tx >= ${to} and tx >= (select to_tx from ledger_progress where what = 'sums')`;

/** Rows (merchant_id, points) that add up to what each merchant's customers hold. */
export function heldPoints(reach: Reach, summed: Summed): Prisma.Sql {
  const own = reach.scope === "any" ? Prisma.empty : Prisma.sql`where m.id = ${reach.merchantId}::uuid`;
  return Prisma.sql`select m.id as merchant_id, last.paid + last.bonus as points
    from merchants m cross join unnest(enum_range(null::"MovementType")) as kind
    cross join lateral (
      select paid, bonus from pocket_days d
      where d.merchant_id = m.id and d.type = kind order by d.day desc limit 1
    ) last ${own}
    union all
    select merchant_id, points::bigint from movements where ${unsummed(summed)} ${ofMerchant(reach)}`;
}

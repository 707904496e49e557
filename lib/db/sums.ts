import type { Reach } from "@/lib/domain/actor";
import type { Db } from "./client";
import { Prisma } from "./generated/client";
import { ofMerchant } from "./query";

/** The transaction up to which the sums of the days (daily_sums, staff_sums, pocket_days) include the movements. */
export type Summed = { to: bigint };

/** The progress of the daily sums. Later movements match the condition `unsummed`. */
export async function summedUntil(db: Db): Promise<Summed> {
  const row = await db.ledgerProgress.findUniqueOrThrow({ where: { what: "sums" } });
  return { to: row.toTx };
}

/**
 * The condition that a movement is in no sum yet and meets the others. The first part is a constant, which lets the planner
 * estimate the rows. The second uses the statement's snapshot, so that progress of the sums in between counts nothing
 * twice. IS TRUE hides the others from indexes: one of all movements of a merchant costs more than the few rows.
 */
export const unsummed = ({ to }: Summed, others: Prisma.Sql[]): Prisma.Sql =>
  Prisma.sql`tx >= ${to} and tx >= (select to_tx from ledger_progress where what = 'sums')
    and (${others.length > 0 ? Prisma.join(others, " and ") : Prisma.sql`true`}) is true`;

/** Rows (merchant_id, points) whose sum is the points that each merchant's customers hold. */
export function heldPoints(reach: Reach, summed: Summed): Prisma.Sql {
  const own = reach.scope === "any" ? Prisma.empty : Prisma.sql`where m.id = ${reach.merchantId}::uuid`;
  return Prisma.sql`select m.id as merchant_id, last.paid + last.bonus as points
    from merchants m cross join unnest(enum_range(null::"MovementType")) as kind
    cross join lateral (
      select paid, bonus from pocket_days d
      where d.merchant_id = m.id and d.type = kind order by d.day desc limit 1
    ) last ${own}
    union all
    select merchant_id, points::bigint from movements where ${unsummed(summed, ofMerchant(reach))}`;
}

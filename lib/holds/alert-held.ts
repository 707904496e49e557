import type { Db } from "@/lib/db/client";

/** The share of what a merchant owes to its customers above which held points are worth a notice, in per cent. */
const SHARE = 20;

/**
 * Tells owners once a day that open holds reserve more than a fifth of the points that they owe: software may be holding
 * what it never takes. What is owed comes from the sums of days, as in the liability report.
 */
export async function alertHeld(db: Db): Promise<void> {
  await db.$executeRaw`
    insert into notices (merchant_id, kind, record_id, amount)
    select h.merchant_id, 'held_share', md5(h.merchant_id::text || qatar_day(now()))::uuid, h.points * 100 / owed.points
    from (
      select merchant_id, sum(points - captured) as points from holds
      where state = 'open' and expires_at > now() group by merchant_id
    ) h cross join lateral (
      select sum(d.paid + d.bonus) as points from (
        select distinct on (type) paid, bonus from pocket_days p where p.merchant_id = h.merchant_id
        order by type, day desc
      ) d
    ) owed
    where owed.points > 0 and h.points * 100 > owed.points * ${SHARE}::int
    on conflict (kind, record_id) do nothing`;
}

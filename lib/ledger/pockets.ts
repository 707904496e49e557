import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { qatarDay } from "@/lib/domain/time";
import type { Pockets, ReservedPoints } from "./model/movements";

export type PocketColumns = {
  balance: number;
  bonus: number;
  ended: number;
  nextPoints: number | null;
  nextEnd: Date | null;
  held: number;
};

/** Joins, as `freed`, what lapsed holds of `customers c` still reserve, and of it what counts today. */
const freedJoin = (now: Date): Prisma.Sql => Prisma.sql`left join lateral (
  select sum(h.points - h.captured)::int as points,
    (sum(h.points - h.captured) filter (where h.unproved_on = c.unproved_on))::int as unproved
  from lapsed_holds(c.id, ${now}::timestamptz) h where c.held > 0
) freed on true`;
export const HELD = Prisma.sql`(c.held - coalesce(freed.points, 0))`;

/** The part of a lot `l` that no open hold reserves, at most what is left of it. */
const free = (now: Date): Prisma.Sql => Prisma.sql`l.remaining - l.held + case when l.held > 0 then coalesce((
  select sum(d.points - d.captured) from hold_lots d join lapsed_holds(c.id, ${now}::timestamptz) h on h.id = d.hold_id
  where d.lot_id = l.id), 0) else 0 end`;

/** PocketColumns of `customers c` with pocketsJoin. */
export const POCKET_COLUMNS = Prisma.sql`c.balance, c.bonus, pockets.ended,
  pockets.next_points as "nextPoints", pockets.next_end as "nextEnd", ${HELD} as held`;

/** Joins what of the bonus of `customers c` has ended by then, though no EXPIRY is posted yet, and what ends next. */
export const pocketsJoin = (now: Date): Prisma.Sql => Prisma.sql`cross join lateral (
  select coalesce(sum(l.free) filter (where l.ends_at <= ${now}::timestamptz), 0)::int as ended,
    sum(l.remaining) filter (where l.ends_at = l.next_end)::int as next_points, min(l.next_end) as next_end
  from (
    select l.remaining, l.ends_at, min(l.ends_at) filter (where l.ends_at > ${now}::timestamptz) over () as next_end,
      ${free(now)} as free
    from lots l where l.customer_id = c.id and l.remaining > 0
  ) l
) pockets ${freedJoin(now)}`;

/** For lists: joins the ended bonus of `customers c`, which SPENDABLE leaves out, and what HELD needs. */
export const endedJoin = (now: Date): Prisma.Sql => Prisma.sql`left join lateral (
  select sum(${free(now)})::int as points from lots l
  where c.bonus > 0 and l.customer_id = c.id and l.remaining > 0 and l.ends_at <= ${now}::timestamptz
) ended on true ${freedJoin(now)}`;
export const SPENDABLE = Prisma.sql`c.balance - coalesce(ended.points, 0)`;

/** The points that can be spent, by pocket. Bonus that has ended does not count, even before its EXPIRY. */
export function toPockets({ balance, bonus, ended, nextPoints, nextEnd }: PocketColumns): Pockets {
  // The end is exclusive: the last good moment lies just before it.
  const day = nextEnd && qatarDay(new Date(nextEnd.getTime() - 1));
  return {
    paid: balance - bonus,
    bonus: bonus - ended,
    endsNext: day && nextPoints ? { points: nextPoints, day } : null,
  };
}

/** The points that a customer can spend, by the private id, which the caller has checked. */
export async function pocketsOf(db: Db | Tx, customerId: string, now: Date): Promise<Pockets> {
  const [row] = await db.$queryRaw<PocketColumns[]>`
    select ${POCKET_COLUMNS} from customers c ${pocketsJoin(now)} where c.id = ${customerId}::uuid`;
  return row ? toPockets(row) : { paid: 0, bonus: 0, endsNext: null };
}

/** The points that a customer can spend and that no hold reserves. Takes the private id and does not check it. */
export async function availableOf(db: Db | Tx, customerId: string, now: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ points: number }[]>`
    select ${SPENDABLE} - ${HELD} as points from customers c ${endedJoin(now)} where c.id = ${customerId}::uuid`;
  return row?.points ?? 0;
}

/** The points of a customer (private id, unchecked) at a past instant, those held then, and the value of one in dirhams. */
export async function pocketsAt(
  db: Db,
  customerId: string,
  at: Date,
): Promise<{ pockets: Pockets; held: number; rate: number | null }> {
  // The API tells moments in whole milliseconds, cut off: a movement of that millisecond counts.
  const until = new Date(at.getTime() + 1);
  const [row] = await db.$queryRaw<(PocketColumns & { rate: number | null })[]>`
    with holds_then as materialized (
      select h.id, h.points from holds h join merchants s on s.id = h.merchant_id
      where h.customer_id = ${customerId}::uuid and h.created_at < ${until}::timestamptz
        and not is_lapsed(h.expires_at, s.suspended_at, ${at}::timestamptz)
        and (h.closed_at is null or h.closed_at >= ${until}::timestamptz)
    ), lots_then as materialized (
      select sum(v.points)::int as remaining, coalesce(max(v.extended_to), l.granted_ends_at) as ends_at,
        coalesce((
          select sum(d.points + coalesce((
            select sum(t.points) from lot_moves t join movements m on m.id = t.movement_id
            where t.lot_id = d.lot_id and m.hold_id = d.hold_id and m.created_at < ${until}::timestamptz), 0))
          from hold_lots d join holds_then h on h.id = d.hold_id where d.lot_id = l.id
        ), 0)::int as held
      from lots l join lot_moves v on v.lot_id = l.id join movements m on m.id = v.movement_id
      where l.customer_id = ${customerId}::uuid and m.created_at < ${until}::timestamptz
      group by l.id having sum(v.points) > 0
    ), upcoming as (select min(ends_at) as at from lots_then where ends_at > ${at}::timestamptz)
    select coalesce(last.balance_after, 0) as balance, coalesce(last.bonus_after, 0) as bonus,
      coalesce((select sum(remaining - held) from lots_then where ends_at <= ${at}::timestamptz), 0)::int as ended,
      (select sum(remaining) from lots_then, upcoming where ends_at = upcoming.at)::int as "nextPoints",
      (select at from upcoming) as "nextEnd",
      coalesce((
        select sum(h.points + coalesce((
          select sum(m.points) from movements m where m.hold_id = h.id and m.created_at < ${until}::timestamptz), 0))
        from holds_then h
      ), 0)::int as held,
      (
        select case when own.withdrawn is false then own.rate else everyone.rate end from (
          select dirhams_per_point as rate from points_configs
          where merchant_id is null and created_at < ${until}::timestamptz order by version desc limit 1
        ) everyone left join (
          select dirhams_per_point as rate, withdrawn from points_configs
          where merchant_id = c.merchant_id and created_at < ${until}::timestamptz order by version desc limit 1
        ) own on true
      ) as rate
    from customers c left join lateral (
      select balance_after, bonus_after from movements
      where customer_id = c.id and created_at < ${until}::timestamptz order by seq desc limit 1
    ) last on true
    where c.id = ${customerId}::uuid`;
  if (!row) return { pockets: { paid: 0, bonus: 0, endsNext: null }, held: 0, rate: null };
  return { pockets: toPockets(row), held: row.held, rate: row.rate };
}

/** The open holds of a card, the one that ends first at the top. Takes the private id and does not check it. */
export async function reservedOf(db: Db | Tx, customerId: string, now: Date): Promise<ReservedPoints[]> {
  return db.$queryRaw<ReservedPoints[]>`
    select h.points - h.captured as points, json_build_object('name', b.name, 'nameAr', b.name_ar) as branch, h.expires_at as until
    from holds h join branches b on b.id = h.branch_id join merchants s on s.id = h.merchant_id
    where h.customer_id = ${customerId}::uuid and h.state = 'open'
      and not is_lapsed(h.expires_at, s.suspended_at, ${now}::timestamptz)
    order by h.expires_at, h.id`;
}

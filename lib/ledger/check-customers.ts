import type { Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Wrong } from "./model/ledger-check";

type Found = { what: Wrong["what"]; movementId: string | null; customerId: string };

/** Each movement against the one before it, its original, its lots and its text: the first that breaks a rule. */
const wrongMovement = (ids: string[], merchantId: string) => Prisma.sql`
    with rows as materialized (
      select m.id, m.merchant_id, m.customer_id, m.seq, m.type, m.points, m.paid_points, m.bonus_points, m.balance_after,
        m.bonus_after, m.rate, m.tender, m.created_at, m.tx, m.reverses_id, m.reverses_type, m.refunds_id, m.text_hash,
        lag(m.balance_after, 1, 0) over own as held, lag(m.bonus_after, 1, 0) over own as bonus_held,
        lag(m.seq, 1, 0) over own as before, lag(m.created_at) over own as earlier
      from movements m where m.customer_id = any (${ids}::uuid[])
      window own as (partition by m.customer_id order by m.seq)
    ), moved as materialized (
      select r.id, bool_or(sign(l.points) <> sign(r.bonus_points)) or sum(l.points) <> r.bonus_points as wrong
      from rows r join lot_moves l on l.movement_id = r.id group by r.id, r.bonus_points
    ), undone as materialized (
      select reverses_id as id from rows where reverses_id is not null
    ), refunded as materialized (
      -- A refund or a reversal by another customer's movement is wrong in that movement's own row.
      select f.refunds_id as id, sum(f.paid_points) > -o.paid_points or sum(f.bonus_points) > -o.bonus_points as wrong
      from rows f join movements o on o.id = f.refunds_id
      where f.refunds_id is not null and f.id not in (select id from undone)
      group by f.refunds_id, o.paid_points, o.bonus_points
    ), judged as (
      select r.id, r.customer_id, r.seq, case
        when r.merchant_id <> ${merchantId}::uuid then 'customer'
        when r.seq <> r.before + 1 then 'seq'
        when r.balance_after <> r.held + r.points or r.balance_after < 0 then 'balance'
        when r.paid_points + r.bonus_points <> r.points or r.paid_points::bigint * r.bonus_points < 0
          then 'pockets'
        when r.bonus_after <> r.bonus_held + r.bonus_points or r.bonus_after not between 0 and r.balance_after
          then 'bonus'
        -- What stood before transactions were kept was posted by the clock.
        when r.created_at < r.earlier and r.tx > 0 then 'time'
        when case r.type
          when 'TOP_UP' then r.points <= 0 or r.bonus_points <> 0 or r.tender is null
          when 'IMPORT' then r.points <= 0 or r.bonus_points <> 0
          when 'BONUS' then r.points <= 0 or r.paid_points <> 0
          when 'REDEEM' then r.points >= 0
          when 'EXPIRY' then r.points >= 0 or r.paid_points <> 0
          when 'REFUND' then r.points <= 0
          else r.points = 0
        end then 'type'
        when r.type = 'REVERSAL' and (o.id is null or o.type = 'REVERSAL' or o.type is distinct from r.reverses_type
          or o.customer_id <> r.customer_id or o.seq >= r.seq or o.rate <> r.rate
          or o.paid_points <> -r.paid_points or o.bonus_points <> -r.bonus_points
          or (r.bonus_points <> 0 and exists (
            select from lot_moves l where l.movement_id in (r.id, o.id) group by l.lot_id having sum(l.points) <> 0)))
          then 'reversal'
        when (r.type <> 'REVERSAL' and (r.reverses_id is not null or r.reverses_type is not null)) then 'reversal'
        when r.type = 'REFUND' and (o.id is null or o.type <> 'REDEEM' or o.customer_id <> r.customer_id
          or o.seq >= r.seq or o.rate <> r.rate) then 'refund'
        -- Sets, which the plan hashes whatever it expects of their size.
        when r.type = 'REDEEM' and (r.id in (select id from refunded where wrong)
          or (r.id in (select id from refunded) and r.id in (select id from undone))) then 'refund'
        when r.id in (select id from moved where wrong)
          or (r.bonus_points <> 0 and r.id not in (select id from moved)) then 'lots'
        when r.type = 'BONUS' and not exists (
          select from lots l where l.movement_id = r.id and l.customer_id = r.customer_id having sum(l.points) = r.points)
          then 'lots'
        when t.movement_id is not null
          and sha256(t.salt || convert_to(t.reason, 'UTF8')) is distinct from r.text_hash then 'text'
        -- Only an erased customer's texts go.
        when t.movement_id is null and r.text_hash is not null and c.status <> 'erased' then 'text'
      end as what
      from rows r
      left join movements o on o.id = coalesce(r.reverses_id, r.refunds_id)
      left join movement_texts t on t.movement_id = r.id
      left join customers c on c.id = r.customer_id
    )
    select what, id::text as "movementId", customer_id::text as "customerId"
    from judged where what is not null order by customer_id, seq limit 1`;

/** Checks each lot against its moves: the points left after each move, and the end in force. */
const wrongLot = (ids: string[]) => Prisma.sql`
    with own as materialized (
      select l.* from movements m join lots l on l.movement_id = m.id
      where m.customer_id = any (${ids}::uuid[]) and m.type = 'BONUS'
    ), moves as (
      select x.lot_id, x.movement_id, x.points, x.extended_to, m.customer_id, m.seq,
        sum(x.points) over (partition by x.lot_id order by m.seq) as remaining
      from own o join lot_moves x on x.lot_id = o.id left join movements m on m.id = x.movement_id
    ), broken as (
      select v.movement_id, o.customer_id from own o join moves v on v.lot_id = o.id
      where v.customer_id is distinct from o.customer_id or v.remaining not between 0 and o.points
      union all
      select o.movement_id, o.customer_id from own o left join lateral (
        select sum(v.points) as remaining, (array_agg(v.extended_to order by v.seq desc)
          filter (where v.extended_to is not null))[1] as extended_to
        from moves v where v.lot_id = o.id
      ) s on true
      where o.remaining <> coalesce(s.remaining, 0)
        or o.ends_at is distinct from coalesce(s.extended_to, o.granted_ends_at)
        or o.extended <> (s.extended_to is not null)
    )
    select 'lots' as what, movement_id::text as "movementId", customer_id::text as "customerId"
    from broken order by customer_id, movement_id limit 1`;

/** Each customer's balance, bonus and count against the last movement and the lots. */
const wrongBalance = (ids: string[]) => Prisma.sql`
    select 'customer' as what, null as "movementId", c.id::text as "customerId"
    from customers c left join lateral (
      select m.balance_after, m.bonus_after, m.seq from movements m
      where m.customer_id = c.id order by m.seq desc limit 1
    ) last on true
    where c.id = any (${ids}::uuid[]) and (
      c.balance <> coalesce(last.balance_after, 0) or c.bonus <> coalesce(last.bonus_after, 0)
      or c.movement_count <> coalesce(last.seq, 0)
      or c.bonus <> coalesce((
        select sum(l.remaining) from lots l where l.customer_id = c.id and l.remaining > 0), 0))
    order by c.id limit 1`;

/** Compares the held points of each customer, pocket and lot with the open holds, and each hold with its captures. */
const wrongHold = (ids: string[]) => Prisma.sql`
    with own as materialized (
      select h.*, coalesce(t.points, 0) as taken, coalesce(t.paid, 0) as taken_paid, coalesce(d.points, 0) as of_lots,
        coalesce(d.captured, 0) as taken_of_lots
      from holds h left join lateral (
        select -sum(m.points) as points, -sum(m.paid_points) as paid from movements m
        where m.hold_id = h.id and m.customer_id = h.customer_id
      ) t on true left join lateral (
        select sum(l.points) as points, sum(l.captured) as captured from hold_lots l where l.hold_id = h.id
      ) d on true
      where h.customer_id = any (${ids}::uuid[])
    ), open_lots as (
      select d.lot_id, sum(d.points - d.captured) as held
      from own o join hold_lots d on d.hold_id = o.id where o.state = 'open' group by 1
    ), broken as (
      select customer_id from own
      where captured <> taken or captured_paid <> taken_paid or captured > points or of_lots <> points - paid
        or taken_of_lots <> captured - captured_paid
      union all
      select c.id from customers c left join (
        select customer_id, sum(points - captured) as held from own where state = 'open' group by 1
      ) o on o.customer_id = c.id
      where c.id = any (${ids}::uuid[]) and c.held <> coalesce(o.held, 0)
      union all
      select l.customer_id from lots l left join open_lots o on o.lot_id = l.id
      where l.customer_id = any (${ids}::uuid[]) and l.held <> coalesce(o.held, 0)
      union all
      select m.customer_id from own o join movements m on m.hold_id = o.id where m.customer_id <> o.customer_id
    )
    select 'holds' as what, null as "movementId", customer_id::text as "customerId"
    from broken order by customer_id limit 1`;

/** The first row of these customers that breaks a rule of the ledger, or null. */
export async function checkCustomers(tx: Tx, merchantId: string, ids: string[]): Promise<Wrong | null> {
  for (const check of [wrongMovement, wrongLot, wrongBalance, wrongHold]) {
    const [row] = await tx.$queryRaw<Found[]>(check(ids, merchantId));
    if (!row) continue;
    const { what, customerId, movementId } = row;
    return { what, customerId, ...(movementId ? { movementId } : {}) };
  }
  return null;
}

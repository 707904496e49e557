import type pg from "pg";
import type { oldShop } from "./old-shop";

type OldShop = Awaited<ReturnType<typeof oldShop>>;

const MOVEMENTS_A_CUSTOMER = 10;

/**
 * Fills a merchant of an old database with customers of ten movements each, as the function of that time would have
 * posted them: top-ups, redemptions, reversals with a reason, imports and adjustments, over a year.
 */
export async function fillOldLedger(client: pg.Client, shop: OldShop, movements: number): Promise<void> {
  const given = [shop.merchant, shop.branch, shop.other, shop.owner, movements / MOVEMENTS_A_CUSTOMER];
  await client.query("begin");
  // The rows are right as they are made: triggers and foreign keys would only cost time.
  await client.query("set local session_replication_role = replica");
  await client.query(
    `create temporary table old_plan on commit drop as
     with lines as (
       select n, seq, person, uuidv7() as id,
         timestamptz '2025-09-01 08:00:00+03' + (seq - 1) * interval '36 days' + n % 40000 * interval '1 minute' as at,
         case when seq % 5 = 1 then 'TOP_UP' when seq % 5 = 3 and n % 4 = 0 then 'REVERSAL' when seq % 5 <> 4 then 'REDEEM'
           when n % 2 = 0 then 'IMPORT' else 'ADJUSTMENT' end as type,
         case seq % 5 when 1 then 100 + n % 50 when 4 then 7 else -(10 + n % 20) end as points
       from (select n, gen_random_uuid() as person from generate_series(1, $1::int) n) people
       cross join generate_series(1, ${MOVEMENTS_A_CUSTOMER}) seq
     ), undone as (
       select n, seq, person, id, at, type,
         case when type = 'REVERSAL' then -lag(points) over own else points end as points,
         case when type = 'REVERSAL' then lag(id) over own end as reverses
       from lines window own as (partition by n order by seq)
     )
     select *, sum(points) over (partition by n order by seq)::int as balance from undone`,
    given.slice(4),
  );
  await client.query(
    `insert into customers (id, public_id, merchant_id, full_name, email, balance, movement_count)
     select person, gen_random_uuid(), $1, 'Customer ' || n, 'old' || n || '@customer.test', balance, seq
     from old_plan where seq = ${MOVEMENTS_A_CUSTOMER}`,
    given.slice(0, 1),
  );
  await client.query(
    `insert into movements (id, customer_id, merchant_id, branch_id, actor_id, type, points, balance_after, rate, seq,
       idempotency_key, request_hash, reverses_id, reason, created_at)
     select id, person, $1, case n % 2 when 0 then $2::uuid else $3::uuid end, $4, type::"MovementType", points, balance,
       100, seq, 'old ' || id, 'old', reverses, case when type in ('REVERSAL', 'ADJUSTMENT') then 'Customer ' || n end, at
     from old_plan order by at`,
    given.slice(0, 4),
  );
  await client.query("commit");
}

/** What a migration must not change, small enough for a large ledger: counts, sums, and a hash of every row. */
export async function oldLedgerTotals(client: pg.Client): Promise<Record<string, unknown>> {
  const texts = await client.query("select to_regclass('movement_texts') is not null as there");
  const reason = texts.rows[0].there
    ? "(select t.reason from movement_texts t where t.movement_id = m.id)"
    : "m.reason";
  const { rows } = await client.query(
    `select count(*)::int as movements, sum(m.points)::text as points,
      sum(hashtextextended(row(m.id, m.customer_id, m.merchant_id, m.branch_id, m.actor_id, m.type, m.points,
        m.balance_after, m.rate, m.seq, m.idempotency_key, m.request_hash, m.reverses_id, ${reason}, m.proof,
        extract(epoch from m.created_at))::text, 0))::text as rows from movements m`,
  );
  const { rows: held } = await client.query(
    `select count(*)::int as customers, sum(hashtextextended(row(id, balance, movement_count)::text, 0))::text as balances,
      count(*) filter (where balance <> (select sum(m.points) from movements m where m.customer_id = c.id))::int as wrong
     from customers c`,
  );
  const { rows: days } = await client.query(
    `select day::text, merchant_id, branch_id, type::text,
      movements::int, points::text from daily_sums order by 1, 2, 3, 4`,
  );
  return { ...rows[0], ...held[0], days };
}

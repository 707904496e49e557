import { hashPassword } from "@/lib/accounts/password";
import type { Db, Tx } from "@/lib/db/client";
import { fillDailySums, fillMerchantDays } from "@/lib/jobs/daily-sums";
import { FIRST, LAST } from "./large-names";
import { DEMO_PASSWORD } from "./people";

export type LargeSize = { merchants: number; customers: number; movements: number; days: number };
export const LARGE: LargeSize = { merchants: 20, customers: 100_000, movements: 1_000_000, days: 365 };

/** Customers per step: enough to be fast, few enough to show progress. */
const CUSTOMERS_PER_STEP = 10_000;
const TRANSACTION_LIMITS = { maxWait: 60_000, timeout: 1_800_000 };

type Log = (line: string) => void;

async function insertMerchants(tx: Tx, count: number): Promise<void> {
  const hash = await hashPassword(DEMO_PASSWORD);
  await tx.$executeRaw`
    insert into merchants (business_name, first_name, last_name, email, phone, status, decided_at, created_at)
    select 'Large Shop ' || n, 'Owner', 'Number ' || n, 'large' || n || '@large.test', '+97450000000', 'approved',
      now() - interval '400 days', now() - interval '400 days'
    from generate_series(1, ${count}::int) n`;
  await tx.$executeRaw`
    insert into branches (merchant_id, name, city, created_at)
    select m.id, b.name, b.city, m.created_at from merchants m
    cross join (values ('Corniche', 'Doha'), ('Lusail', 'Lusail')) b(name, city)
    where m.email like 'large%@large.test'`;
  await tx.$executeRaw`
    insert into users (role, email, first_name, last_name, phone, password_hash, merchant_id)
    select p.role::"Role", p.name || '.' || m.email, initcap(p.name), 'Large', '+97450000001', ${hash}, m.id
    from merchants m
    cross join (values ('merchant_owner', 'owner'), ('branch_worker', 'amal'), ('branch_worker', 'ravi'),
      ('branch_worker', 'grace')) p(role, name)
    where m.email like 'large%@large.test'`;
}

/**
 * Plans the movements of the customers `from` to `to` in a temporary table: a top-up and two redemptions in turn, so that
 * no balance falls below 0. Their number is 0.5 to 1.5 times the average, and some customers undo a last top-up.
 */
async function planMovements(tx: Tx, size: LargeSize, from: number, to: number): Promise<void> {
  const average = Math.round(size.movements / size.customers);
  await tx.$executeRaw`
    create temporary table large_plan as
    with shops as (
      select m.id as merchant_id, substring(m.email from '^large([0-9]+)@')::int as shop,
        (select array_agg(b.id order by b.name) from branches b where b.merchant_id = m.id) as branches,
        (select array_agg(u.id order by u.email) from users u where u.merchant_id = m.id) as staff
      from merchants m where m.email like 'large%@large.test'
    ), people as (
      select n, gen_random_uuid() as customer_id, s.*,
        greatest(1, round(${average}::int * (0.5 + abs(hashint4(n)) % 1000 / 999.0)))::int as many
      from generate_series(${from}::int, ${to}::int) n
      join shops s on s.shop = 1 + n % ${size.merchants}::int
    ), lines as (
      select p.*, seq, abs(hashint4(n * 131 + seq)) as luck
      from people p cross join lateral generate_series(1, p.many + (p.many % 3 = 1 and n % 20 = 0)::int) seq
    ), moved as (
      select l.*, uuidv7() as id, branches[1 + luck % 2] as branch_id, staff[1 + luck % 4] as actor_id,
        case when seq > many then 0 when seq % 3 = 1 then 60 + luck % 5 * 20 else -(5 + luck % 25) end as points,
        now() - ${size.days}::int * interval '1 day' * (1 - (least(seq, many) - (luck % 1000) / 1000.0) / many) as at
      from lines l
    ), undone as (
      select n, customer_id, merchant_id, seq, many, branch_id, actor_id, id,
        case when seq > many then -lag(points) over own else points end as points,
        case when seq > many then lag(id) over own end as reverses_id,
        case when seq > many then lag(at) over own else at end as at
      from moved window own as (partition by customer_id order by seq)
    )
    select *, sum(points) over (partition by customer_id order by seq)::int as balance_after from undone`;
}

async function insertCustomers(tx: Tx, { days }: LargeSize): Promise<void> {
  const column = (list: readonly (readonly [string, string])[], part: 0 | 1) =>
    list.map((pair) => pair[part]);
  await tx.$executeRaw`
    insert into customers (id, public_id, merchant_id, full_name, email, phone, date_of_birth, registered_at,
      consent_at, balance, movement_count, last_posted_at)
    select customer_id, gen_random_uuid(), merchant_id,
      (${column(FIRST, 0)}::text[])[1 + n % ${FIRST.length}::int] || ' ' ||
        (${column(LAST, 0)}::text[])[1 + n % ${LAST.length}::int],
      (${column(FIRST, 1)}::text[])[1 + n % ${FIRST.length}::int] || '.' ||
        (${column(LAST, 1)}::text[])[1 + n % ${LAST.length}::int] || n || '@customer.test',
      '+974' || (30000000 + (n::bigint * 7919) % 49999999),
      date '1955-01-01' + n % 18000,
      now() - (${days}::int + n % 30) * interval '1 day' - n % 86400 * interval '1 second',
      now() - (${days}::int + n % 30) * interval '1 day',
      sum(points), count(*), max(at)
    from large_plan group by customer_id, merchant_id, n`;
}

async function insertMovements(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    insert into movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, type, tender, points,
      paid_points, balance_after, rate, balance_rate, seq, idempotency_key, request_hash, reverses_id, reverses_type,
      actor_name, branch_name, text_hash, tx, occurred_at, created_at)
    select p.id, p.customer_id, p.merchant_id, p.branch_id, 'user', p.actor_id, k.type, k.tender, p.points,
      p.points, p.balance_after, 100, 100, p.seq, 'large ' || p.customer_id || ' ' || p.seq, 'large', p.reverses_id,
      case when p.reverses_id is not null then (case when p.points < 0 then 'TOP_UP' else 'REDEEM' end)::"MovementType" end,
      u.first_name || ' ' || u.last_name, b.name,
      case when p.reverses_id is not null then sha256(uuid_send(p.id) || convert_to('Wrong amount', 'UTF8')) end,
      posting_tx(), p.at, p.at
    from large_plan p join users u on u.id = p.actor_id join branches b on b.id = p.branch_id
    cross join lateral (select
      (case when p.reverses_id is not null then 'REVERSAL' when p.points > 0 then 'TOP_UP' else 'REDEEM' end)::"MovementType" as type,
      case when p.reverses_id is null and p.points > 0
        then (array['cash', 'cash', 'card', 'online'])[1 + abs(hashtext(p.id::text)) % 4]::"Tender" end as tender) k
    order by p.at`;
  await tx.$executeRaw`
    insert into movement_texts (movement_id, salt, reason)
    select id, uuid_send(id), 'Wrong amount' from large_plan where reverses_id is not null`;
}

/** Drops the indexes that no constraint needs. Answers the statements that create them again. */
async function dropIndexes(tx: Tx): Promise<string[]> {
  const indexes = await tx.$queryRaw<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
    where indrelid in ('customers'::regclass, 'movements'::regclass)
      and not exists (select from pg_constraint where conindid = indexrelid)`;
  for (const { name } of indexes) await tx.$executeRawUnsafe(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

/** Inserts everything. Indexes are created at the end, which is faster than updating them with every row. */
async function insertAll(tx: Tx, size: LargeSize, log: Log): Promise<void> {
  await insertMerchants(tx, size.merchants);
  await tx.$executeRaw`
    select set_config('wallet.posting', 'on', true), set_config('maintenance_work_mem', '256MB', true)`;
  const indexes = await dropIndexes(tx);
  for (let from = 1; from <= size.customers; from += CUSTOMERS_PER_STEP) {
    const to = Math.min(size.customers, from + CUSTOMERS_PER_STEP - 1);
    await planMovements(tx, size, from, to);
    await insertCustomers(tx, size);
    await insertMovements(tx);
    await tx.$executeRaw`drop table large_plan`;
    log(`${to} of ${size.customers} customers with their movements`);
  }
  for (const index of indexes) await tx.$executeRawUnsafe(index);
}

/**
 * Inserts many merchants, customers and movements by set-based SQL, to measure lists, searches and totals on. Each balance
 * is the sum of its movements, and daily sums are filled. Throws an Error if the data is already there.
 */
export async function seedLarge(db: Db, size: LargeSize = LARGE, log: Log = () => {}): Promise<void> {
  if ((await db.merchant.count({ where: { email: "large1@large.test" } })) > 0) {
    throw new Error("The large seed is there already.");
  }
  await db.$transaction((tx) => insertAll(tx, size, log), TRANSACTION_LIMITS);
  await fillDailySums(db);
  await fillMerchantDays(db, { all: true });
  for (const table of ["customers", "movements", "daily_sums", "merchant_days", "pocket_days"]) {
    await db.$executeRawUnsafe(`vacuum analyze ${table}`);
  }
}

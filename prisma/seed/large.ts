import { hashPassword } from "@/lib/accounts/password";
import { CODE_LENGTH, CODE_LETTERS } from "@/lib/customers/model/customer-code";
import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { fillDailySums, fillMerchantDays } from "@/lib/jobs/daily-sums";
import { DEMO_PASSWORD, pairsIn } from "./people";

export type LargeSize = { merchants: number; customers: number; movements: number; days: number };
export const LARGE: LargeSize = { merchants: 20, customers: 100_000, movements: 1_000_000, days: 365 };

/** Customers per step: enough to be fast, few enough to show progress. */
const CUSTOMERS_PER_STEP = 10_000;
/** As long as ten million movements take on a busy machine. */
const TRANSACTION_LIMITS = { maxWait: 60_000, timeout: 6 * 3_600_000 };

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

/** The bonus of some customers before their first top-up or after their last movement, in points. */
const BONUS = 50;

/**
 * Plans the movements of the customers `from` to `to` in a temporary table: a top-up and two redemptions in turn, so that
 * no balance falls below 0. Their number is 0.5 to 1.5 times the average. Of twenty customers one undoes a last top-up,
 * one gets half of a last redemption back, and three have a bonus: one that ended unused, one that is redeemed first and
 * one that still ends.
 */
async function planMovements(tx: Tx, size: LargeSize, from: number, to: number): Promise<void> {
  const average = Math.round(size.movements / size.customers);
  await tx.$executeRaw`
    create temporary table large_plan as
    with shops as (
      select m.id as merchant_id, substring(m.email from '^large([0-9]+)@')::int as shop,
        (select array_agg(b.id order by b.name) from branches b where b.merchant_id = m.id) as branches,
        (select array_agg(u.id order by u.email) from users u where u.merchant_id = m.id) as staff,
        (select u.id from users u where u.merchant_id = m.id and u.role = 'merchant_owner') as owner,
        now() - (${size.days}::int + 2) * interval '1 day' as opened
      from merchants m where m.email like 'large%@large.test'
    ), people as (
      select n, gen_random_uuid() as customer_id, s.*,
        greatest(1, round(${average}::int * (0.5 + abs(hashint4(n)) % 1000 / 999.0)))::int as many
      from generate_series(${from}::int, ${to}::int) n
      join shops s on s.shop = 1 + n % ${size.merchants}::int
    ), lines as (
      select p.*, line, abs(hashint4(n * 131 + line)) as luck, case
        when line < 1 then (case when line = 0 and n % 20 = 7 then 'EXPIRY' else 'BONUS' end)
        when line > many then (case n % 20 when 0 then 'REVERSAL' when 3 then 'BONUS' else 'REFUND' end)
        when line % 3 = 1 then 'TOP_UP' else 'REDEEM'
      end::"MovementType" as type
      from people p cross join lateral generate_series(
        case n % 20 when 7 then -1 when 11 then 0 else 1 end,
        p.many + (case when n % 20 = 3 then true when n % 20 = 0 then many % 3 = 1 else n % 20 = 15 and many % 3 <> 1 end)::int
      ) line
    ), moved as (
      select l.*, uuidv7() as id,
        case when type <> 'EXPIRY' then branches[1 + luck % 2] end as branch_id,
        case when type in ('BONUS', 'REFUND') then owner when type <> 'EXPIRY' then staff[1 + luck % 4] end as actor_id,
        case type when 'TOP_UP' then 60 + luck % 5 * 20 when 'REDEEM' then -(5 + luck % 25)
          when 'BONUS' then ${BONUS}::int when 'EXPIRY' then -${BONUS}::int end as points,
        case when line < 1 then opened
          else now() - ${size.days}::int * interval '1 day' * (1 - (least(line, many) - (luck % 1000) / 1000.0) / many)
        end as at,
        case when type = 'BONUS' and n % 20 <> 11 then qatar_day_start(
          (case n % 20 when 7 then opened + interval '1 day' else now() + interval '45 days' end)) end as ends_at
      from lines l
    ), answered as (
      select n, customer_id, merchant_id, many, line, id, type, branch_id, luck, ends_at,
        case when type = 'REVERSAL' then lag(actor_id) over own else actor_id end as actor_id,
        case type when 'REVERSAL' then -lag(points) over own when 'REFUND' then -lag(points) over own / 2
          else points end as points,
        case when type in ('REVERSAL', 'REFUND') then lag(id) over own end as of_id,
        case when type = 'REVERSAL' then lag(type) over own end as reverses_type,
        case when type = 'EXPIRY' then lag(ends_at) over own when line > many then lag(at) over own else at end as at
      from moved window own as (partition by customer_id order by line)
    ), drawn as (
      select a.*, case when n % 20 = 11 and type = 'REDEEM'
          then least(${BONUS}::int, redeemed + points) - least(${BONUS}::int, redeemed)
          when type in ('BONUS', 'EXPIRY') then points else 0 end as bonus
      from (select *, sum(case when type = 'REDEEM' then -points else 0 end)
        over (partition by customer_id order by line)::int as redeemed from answered) a
    )
    select d.*, row_number() over own as seq, sum(points) over own::int as balance_after,
      sum(bonus) over own::int as bonus_after,
      (array_agg(id) filter (where type = 'BONUS') over (partition by customer_id))[1] as lot_id
    from drawn d window own as (partition by customer_id order by line)`;
}

// Has no divisor in common with the number of codes, so that no two customers get the same.
const STEP = 314_159_265;

/** The code of the nth customer: each has its own, and neighbours look as different as any two. */
function codeOf(n: Prisma.Sql): Prisma.Sql {
  const letters = CODE_LETTERS.length;
  const at = Prisma.sql`${n}::bigint * ${STEP}::bigint % ${letters ** CODE_LENGTH}::bigint`;
  const letter = (nth: number) =>
    Prisma.sql`substr(${CODE_LETTERS}, (1 + ${at} / ${letters ** nth}::bigint % ${letters}::bigint)::int, 1)`;
  return Prisma.join(
    Array.from({ length: CODE_LENGTH }, (_, nth) => letter(nth)),
    " || ",
  );
}

async function insertCustomers(tx: Tx, { days }: LargeSize): Promise<void> {
  const column = (list: [string, string][], part: 0 | 1) => list.map((pair) => pair[part]);
  await tx.$executeRaw`
    insert into customers (id, public_id, code, merchant_id, full_name, email, phone, date_of_birth, registered_at,
      consent_at, balance, bonus, movement_count, last_posted_at)
    select customer_id, gen_random_uuid(), ${codeOf(Prisma.sql`n`)}, merchant_id,
      (${column(FIRST, 0)}::text[])[1 + n % ${FIRST.length}::int] || ' ' ||
        (${column(LAST, 0)}::text[])[1 + n % ${LAST.length}::int],
      (${column(FIRST, 1)}::text[])[1 + n % ${FIRST.length}::int] || '.' ||
        (${column(LAST, 1)}::text[])[1 + n % ${LAST.length}::int] || n || '@customer.test',
      '+974' || (30000000 + (n::bigint * 7919) % 49999999),
      date '1955-01-01' + n % 18000,
      now() - (${days + 2}::int + n % 30) * interval '1 day' - n % 86400 * interval '1 second',
      now() - (${days + 2}::int + n % 30) * interval '1 day',
      sum(points), sum(bonus), count(*), max(at)
    from large_plan group by customer_id, merchant_id, n`;
}

const REASON_OF = Prisma.sql`case p.type when 'REVERSAL' then 'Wrong amount' when 'BONUS' then 'Welcome'
  when 'REFUND' then 'Returned' end`;

async function insertMovements(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    insert into movements (id, customer_id, merchant_id, branch_id, actor_type, actor_id, type, tender, sale_ref, points,
      paid_points, bonus_points, balance_after, bonus_after, rate, balance_rate, seq, idempotency_key, request_hash,
      reverses_id, reverses_type, refunds_id, actor_name, branch_name, text_hash, tx, occurred_at, created_at)
    select p.id, p.customer_id, p.merchant_id, p.branch_id,
      (case when p.type = 'EXPIRY' then 'system' else 'user' end)::"ActorType", p.actor_id, p.type,
      case when p.type = 'TOP_UP'
        then (array['cash', 'cash', 'cash', 'card', 'card', 'online', 'bank', 'other'])[1 + luck % 8]::"Tender" end,
      case when p.type in ('TOP_UP', 'REDEEM') and luck % 10 < 6
        then 'B-' || 100000 + (p.n::bigint * 61 + p.line) % 900000 end,
      p.points, p.points - p.bonus, p.bonus, p.balance_after, p.bonus_after, 100, 100, p.seq,
      'large ' || p.customer_id || ' ' || p.seq, 'large', case when p.type = 'REVERSAL' then p.of_id end, p.reverses_type,
      case when p.type = 'REFUND' then p.of_id end, u.first_name || ' ' || u.last_name, b.name,
      case when r.reason is not null then sha256(uuid_send(p.id) || convert_to(r.reason, 'UTF8')) end,
      posting_tx(), p.at, p.at
    from large_plan p left join users u on u.id = p.actor_id left join branches b on b.id = p.branch_id
    cross join lateral (select ${REASON_OF} as reason) r
    order by p.at`;
  await tx.$executeRaw`
    insert into movement_texts (movement_id, salt, reason)
    select id, uuid_send(id), reason
    from large_plan p cross join lateral (select ${REASON_OF} as reason) r where reason is not null`;
  await tx.$executeRaw`
    insert into lots (id, movement_id, customer_id, merchant_id, points, remaining, ends_at, granted_ends_at)
    select id, id, customer_id, merchant_id, points, remaining, ends_at, ends_at
    from (select *, sum(bonus) over (partition by lot_id) as remaining from large_plan where bonus <> 0) p
    where type = 'BONUS'`;
  await tx.$executeRaw`
    insert into lot_moves (movement_id, lot_id, points) select id, lot_id, bonus from large_plan where bonus <> 0`;
}

async function insertAll(tx: Tx, size: LargeSize, log: Log): Promise<void> {
  await tx.$executeRaw`select set_config('wallet.posting', 'on', true)`;
  await insertMerchants(tx, size.merchants);
  const load = async () => {
    for (let from = 1; from <= size.customers; from += CUSTOMERS_PER_STEP) {
      const to = Math.min(size.customers, from + CUSTOMERS_PER_STEP - 1);
      await planMovements(tx, size, from, to);
      await insertCustomers(tx, size);
      await insertMovements(tx);
      await tx.$executeRaw`drop table large_plan`;
      log(`${to} of ${size.customers} customers with their movements`);
    }
  };
  await loadThenIndex(tx, load, log);
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
  for (const table of [
    "customers",
    "movements",
    "daily_sums",
    "staff_sums",
    "merchant_days",
    "pocket_days",
  ]) {
    await writeLog(db);
    await db.$executeRawUnsafe(`vacuum analyze ${table}`);
  }
}

/** Writes the log out: before, vacuum marks no page as visible to all, and plans avoid the indexes. */
async function writeLog(db: Db): Promise<void> {
  await db.$queryRaw`select pg_logical_emit_message(false, 'seed', '', true)::text`;
}

/** The tables that a large load fills. Indexes and foreign keys come at its end, faster than row by row. */
const LOADED = ["customers", "movements", "movement_texts", "lots", "lot_moves", "card_emails"];

/** Settings while it runs: memory for sorts and indexes, and no wait for the disk that a power cut would make up for. */
const SETTINGS = [
  ["work_mem", "128MB"],
  ["maintenance_work_mem", "512MB"],
  ["synchronous_commit", "off"],
  ["jit", "off"],
] as const;

/** Statements that make again what was dropped. */
type Dropped = string[];

async function dropForeignKeys(tx: Tx): Promise<Dropped> {
  const keys = await tx.$queryRaw<{ on: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any (${LOADED}::regclass[]) order by conname`;
  for (const key of keys) await tx.$executeRawUnsafe(`alter table ${key.on} drop constraint ${key.name}`);
  return keys.map((key) => `alter table ${key.on} add constraint ${key.name} ${key.definition}`);
}

/** The indexes that no constraint needs. */
async function dropIndexes(tx: Tx): Promise<Dropped> {
  const indexes = await tx.$queryRaw<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any (${LOADED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indrelid, indexrelid`;
  for (const { name } of indexes) await tx.$executeRawUnsafe(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

/** Loads without indexes and foreign keys, then makes them, which checks all rows; in one transaction. */
async function loadThenIndex(tx: Tx, load: () => Promise<void>, log: (line: string) => void): Promise<void> {
  for (const [name, value] of SETTINGS) await tx.$executeRaw`select set_config(${name}, ${value}, true)`;
  const keys = await dropForeignKeys(tx);
  const indexes = await dropIndexes(tx);
  await load();
  for (const statement of indexes) await tx.$executeRawUnsafe(statement);
  log(`${indexes.length} indexes made`);
  for (const statement of keys) await tx.$executeRawUnsafe(statement);
  log(`${keys.length} foreign keys checked`);
}

const FIRST = pairsIn(`
  Layla layla, محمد mohammed, فاطمة fatima, Omar omar, نورة noora, Priya priya, حمد hamad,
  Maria maria, مريم maryam, James james, خالد khalid, Sofia sofia, عائشة aisha,
  Arjun arjun, جاسم jassim, Dina dina, ناصر nasser, Hana hana, ريم reem, Bilal bilal,
  يوسف yousef, Elena elena, هيا haya, Samuel samuel, شيخة shaikha, Grace grace, علي ali,
  Thomas thomas, موزة moza, Zainab zainab, راشد rashid`);

const LAST = pairsIn(`
  Haddad haddad, الكواري alkuwari, المري almarri, Nair nair, الهاجري alhajri,
  Santos santos, السليطي alsulaiti, Khalil khalil, الدوسري aldosari, Martins martins,
  العطية alattiyah, O'Connor oconnor, النعيمي alnuaimi, Farouk farouk, الخليفي alkhulaifi,
  Pillai pillai, المناعي almannai, Yoshida yoshida, الأنصاري alansari, Chaudhry chaudhry,
  الجابر aljaber, Petrova petrova, الكعبي alkaabi, Mensah mensah, الشمري alshammari,
  Tan tan, المسند almissned, Benali benali, الباكر albaker, Dubois dubois, المالكي almalki,
  Kim kim, الرميحي alrumaihi, Mansour mansour, المهندي almohannadi, Weber weber,
  اليافعي alyafei`);

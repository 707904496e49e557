import type { CustomerStatus } from "@/lib/customers/model/customers";
import type { Reach } from "@/lib/domain/actor";
import { addDays, dayStart } from "@/lib/domain/time";
import type { Db } from "./client";
import { Prisma } from "./generated/client";
import { andMerchant, ofMerchant } from "./query";

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

/** The last complete day in merchant_days; null if there is none. Later rows are read from their own tables. */
export type KnownDays = { through: string | null };

/** Per client: yesterday, once merchant_days has it. It then needs no query, because no later day can be complete. */
const complete = new WeakMap<Db, string>();

/** The last day before `today` in merchant_days. */
export async function readMerchantDays(db: Db, today: string): Promise<KnownDays> {
  const yesterday = addDays(today, -1);
  if (complete.get(db) === yesterday) return { through: yesterday };
  const [row] = await db.$queryRaw<{ day: string | null }[]>`
    select max(day)::text as day from merchant_days where day < ${today}::date`;
  if (row?.day === yesterday) complete.set(db, yesterday);
  return { through: row?.day ?? null };
}

/** Rows (customers) with the number of customers of each merchant within the reach at the end of the known days. */
function atTheEnd(reach: Reach, through: string): Prisma.Sql {
  const own = reach.scope === "any" ? Prisma.empty : Prisma.sql`where m.id = ${reach.merchantId}::uuid`;
  return Prisma.sql`select last.customers from merchants m cross join lateral (
      select customers from merchant_days d
      where d.merchant_id = m.id and d.day <= ${through}::date order by d.day desc limit 1
    ) last ${own}`;
}

// In a subquery: with a constant time the planner makes a custom plan for each call, which costs more than it saves.
const since = (column: Prisma.Sql, { through }: KnownDays): Prisma.Sql =>
  through === null
    ? Prisma.empty
    : Prisma.sql`and ${column} >= (select ${dayStart(addDays(through, 1))}::timestamptz)`;

/** Rows (customers) whose sum is the number of customers, without those whose status matches `except`. */
export function customerCountRows(except: Prisma.Sql, reach: Reach, known: KnownDays): Prisma.Sql {
  const others = Prisma.sql`select -count(*) from customers where ${except} ${andMerchant(reach)}
    union all
    select count(*) from customers where true ${since(Prisma.sql`registered_at`, known)} ${andMerchant(reach)}`;
  if (known.through === null) return others;
  return Prisma.sql`select customers::bigint from (${atTheEnd(reach, known.through)}) stood union all ${others}`;
}

/** The number of customers with a status, or of all but the erased. Active ones are all minus the others. */
export async function countCustomers(
  db: Db,
  reach: Reach,
  status: CustomerStatus | undefined,
  known: KnownDays,
): Promise<number> {
  const except = status ? Prisma.sql`status <> 'active'` : Prisma.sql`status = 'erased'`;
  const counts =
    status === undefined || status === "active"
      ? customerCountRows(except, reach, known)
      : Prisma.sql`select count(*) from customers
          where status = ${status}::"CustomerStatus" and status <> 'active' ${andMerchant(reach)}`;
  const [row] = await db.$queryRaw<{ total: number }[]>`
    select sum(customers)::int as total from (${counts}) as counts(customers)`;
  return row?.total ?? 0;
}

import type { Reach } from "@/lib/domain/actor";
import type { CustomerStatus } from "@/lib/domain/customers";
import { addDays, dayStart } from "@/lib/domain/time";
import type { Db } from "./client";
import { Prisma } from "./generated/client";
import { ofMerchant } from "./query";

/** Until which day merchant_days may be believed; what came on the days after it is read where it stands. */
export type Known = { through: string | null };

/** The last day gone by before `today` that merchant_days holds. */
export async function knownDays(db: Db, today: string): Promise<Known> {
  const [row] = await db.$queryRaw<{ day: string | null }[]>`
    select max(day)::text as day from merchant_days where day < ${today}::date`;
  return { through: row?.day ?? null };
}

/** Rows (customers) of how many each merchant within the reach had at the end of the known days. */
function atTheEnd(reach: Reach, through: string): Prisma.Sql {
  const own = reach.scope === "any" ? Prisma.empty : Prisma.sql`where m.id = ${reach.merchantId}::uuid`;
  return Prisma.sql`select last.customers from merchants m cross join lateral (
      select customers from merchant_days d
      where d.merchant_id = m.id and d.day <= ${through}::date order by d.day desc limit 1
    ) last ${own}`;
}

const since = (column: Prisma.Sql, { through }: Known): Prisma.Sql =>
  through === null ? Prisma.empty : Prisma.sql`and ${column} >= ${dayStart(addDays(through, 1))}`;

/**
 * Rows (customers) that add up to how many customers there are. `except` is a condition on the status: who meets it
 * is taken off.
 */
export function customersLess(except: Prisma.Sql, reach: Reach, known: Known): Prisma.Sql {
  const others = Prisma.sql`select -count(*) from customers where ${except} ${ofMerchant(reach)}
    union all
    select count(*) from customers where true ${since(Prisma.sql`registered_at`, known)} ${ofMerchant(reach)}`;
  if (known.through === null) return others;
  return Prisma.sql`select customers::bigint from (${atTheEnd(reach, known.through)}) stood union all ${others}`;
}

/**
 * How many customers there are within the reach, of a status or (none named) of all but the erased. Almost everybody
 * is active, so the active are all who ever came less those who are not.
 */
export async function countCustomers(
  db: Db,
  reach: Reach,
  status: CustomerStatus | undefined,
  known: Known,
): Promise<number> {
  const except = status ? Prisma.sql`status <> 'active'` : Prisma.sql`status = 'erased'`;
  const counts =
    status === undefined || status === "active"
      ? customersLess(except, reach, known)
      : Prisma.sql`select count(*) from customers
          where status = ${status}::"CustomerStatus" and status <> 'active' ${ofMerchant(reach)}`;
  const [row] = await db.$queryRaw<{ total: number }[]>`
    select sum(customers)::int as total from (${counts}) as counts(customers)`;
  return row?.total ?? 0;
}

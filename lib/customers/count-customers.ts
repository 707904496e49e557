import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { customersLess, type Known } from "@/lib/db/merchant-days";
import { ofMerchant } from "@/lib/db/of-merchant";
import type { Reach } from "@/lib/domain/actor";
import type { CustomerStatus } from "@/lib/domain/customers";

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

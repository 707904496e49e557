import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { customersLess, type Known } from "@/lib/db/merchant-days";
import { ofMerchant } from "@/lib/db/of-merchant";
import type { Reach } from "@/lib/domain/actor";
import { addDays, dayStart, monthStart } from "@/lib/domain/days";
import type { CustomerCounts } from "@/lib/domain/totals";

type Row = { total: bigint; today: bigint; yesterday: bigint; month: bigint };

/** How many customers there are (the erased not counted), and how many came today, yesterday and this month. */
export async function customerCounts(
  db: Db,
  reach: Reach,
  day: string,
  known: Known,
): Promise<CustomerCounts> {
  const today = dayStart(day);
  const yesterday = dayStart(addDays(day, -1));
  const month = dayStart(monthStart(day));
  const since = new Date(Math.min(month.getTime(), yesterday.getTime()));
  const [row] = await db.$queryRaw<Row[]>`
    select (
        select sum(customers)::bigint
        from (${customersLess(Prisma.sql`status = 'erased'`, reach, known)}) as counts(customers)
      ) as total,
      count(*) filter (where registered_at >= ${today}) as today,
      count(*) filter (where registered_at >= ${yesterday} and registered_at < ${today}) as yesterday,
      count(*) filter (where registered_at >= ${month}) as month
    from customers where registered_at >= ${since} and status <> 'erased' ${ofMerchant(reach)}`;
  return {
    total: Number(row?.total ?? 0n),
    today: Number(row?.today ?? 0n),
    yesterday: Number(row?.yesterday ?? 0n),
    month: Number(row?.month ?? 0n),
  };
}

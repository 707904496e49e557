import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { searchPattern } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { type CustomerHit, type FindCustomers, findCustomersSchema } from "@/lib/domain/counter";
import { cashValue } from "@/lib/domain/money";
import { MIN_SEARCH_LENGTH } from "@/lib/domain/paging";

const SHOWN = 20;
// More than are shown are looked at, so that the names can be put in order; a common term stops here.
const LOOKED_AT = 200;

type Row = Omit<CustomerHit, "cashValue"> & { rate: number };

/**
 * Up to 20 customers of the actor's reach whose name, e-mail, phone or public id holds the term, by name.
 * A term of fewer than 3 characters finds nobody.
 */
export async function findCustomers(ctx: Context, input: FindCustomers): Promise<CustomerHit[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "customers.find"));
  if (input.search.trim().length < MIN_SEARCH_LENGTH) return [];
  const own = merchantId ? Prisma.sql`c.merchant_id = ${merchantId}::uuid and` : Prisma.empty;
  // The limit stands outside of "hits": it still stops the reading, and does not talk the planner out of the index.
  const rows = await ctx.db.$queryRaw<Row[]>`
    with hits as materialized (
      select c.id, c.public_id, c.merchant_id, c.full_name, c.email, c.phone, c.balance
      from customers c
      where ${own} c.search_text like lower(${searchPattern(input.search)}) and c.status <> 'erased'
    ), looked as (select * from hits limit ${LOOKED_AT}),
    shown as (select * from looked order by full_name collate "und-x-icu", id limit ${SHOWN})
    select s.id, s.public_id as "publicId", s.full_name as "fullName", s.email, s.phone, s.balance,
      m.business_name as "businessName", p.dirhams_per_point as rate
    from shown s join merchants m on m.id = s.merchant_id cross join lateral points_config_in_force(s.merchant_id) p
    order by s.full_name collate "und-x-icu", s.id`;
  return rows.map(({ rate, ...customer }) => ({ ...customer, cashValue: cashValue(customer.balance, rate) }));
}
findCustomers.permission = "customers.find" as const;
findCustomers.input = findCustomersSchema;

import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { searchPattern } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { type CustomerHit, type FindCustomers, findCustomersSchema } from "@/lib/domain/counter";
import { cashValue } from "@/lib/domain/money";
import { MIN_SEARCH_LENGTH } from "@/lib/domain/paging";
import { endedJoin, SPENDABLE } from "@/lib/ledger/pockets";

const MAX_RESULTS = 20;
// The best matches by name come from this many hits, which limits the work for a common term.
const MAX_HITS = 200;

type Row = Omit<CustomerHit, "cashValue"> & { rate: number };

/**
 * Up to 20 customers within the actor's reach whose name, e-mail, phone or public id contains the term, by name.
 * A term of fewer than MIN_SEARCH_LENGTH characters finds no one.
 */
export async function findCustomers(ctx: Context, input: FindCustomers): Promise<CustomerHit[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "customers.find"));
  if (input.search.trim().length < MIN_SEARCH_LENGTH) return [];
  const own = merchantId ? Prisma.sql`c.merchant_id = ${merchantId}::uuid and` : Prisma.empty;
  // The limit is outside "hits": it still stops reading early, but does not make the planner avoid the index.
  const rows = await ctx.db.$queryRaw<Row[]>`
    with hits as materialized (
      select c.id, c.public_id, c.merchant_id, c.full_name, c.email, c.phone, c.balance, c.bonus
      from customers c
      where ${own} c.search_text like lower(${searchPattern(input.search)}) and c.status <> 'erased'
    ), looked as (select * from hits limit ${MAX_HITS}),
    shown as (select * from looked order by full_name collate "und-x-icu", id limit ${MAX_RESULTS})
    select c.id, c.public_id as "publicId", c.full_name as "fullName", c.email, c.phone, ${SPENDABLE} as balance,
      m.business_name as "businessName", p.dirhams_per_point as rate
    from shown c join merchants m on m.id = c.merchant_id cross join lateral points_config_in_force(c.merchant_id) p
      ${endedJoin(ctx.clock())}
    order by c.full_name collate "und-x-icu", c.id`;
  return rows.map(({ rate, ...customer }) => ({ ...customer, cashValue: cashValue(customer.balance, rate) }));
}
findCustomers.permission = "customers.find" as const;
findCustomers.input = findCustomersSchema;

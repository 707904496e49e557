import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { countCustomers, readMerchantDays } from "@/lib/db/merchant-days";
import { afterCursor, type Key, nameKey, type Order, ordered, timeKey } from "@/lib/db/paging";
import { foldedContains, searchTerm } from "@/lib/db/query";
import { authorize, type Reach } from "@/lib/domain/actor";
import {
  type CUSTOMER_SORTS,
  type CustomerList,
  type ListCustomers,
  listCustomersSchema,
  MAX_SEARCH_COUNT,
} from "@/lib/domain/customers";
import { parseSort } from "@/lib/domain/paging";
import { MIN_SEARCH_LENGTH } from "@/lib/domain/search";
import { qatarDay } from "@/lib/domain/time";
import { CUSTOMER_COLUMNS, type CustomerRow, customerJoins, toListedCustomer } from "./customer";

/** The term of a search, or null if it is too short. */
function termOf(search: string | undefined): string | null {
  return search !== undefined && [...searchTerm(search)].length >= MIN_SEARCH_LENGTH ? search : null;
}

/** The reach and the filters as conditions on `customers c`. */
function customersWhere(reach: Reach, input: Omit<ListCustomers, "limit">): Prisma.Sql {
  const term = termOf(input.search);
  const conditions = [
    input.status
      ? Prisma.sql`c.status = ${input.status}::"CustomerStatus"`
      : Prisma.sql`c.status <> 'erased'::"CustomerStatus"`,
  ];
  if (reach.scope !== "any") conditions.push(Prisma.sql`c.merchant_id = ${reach.merchantId}::uuid`);
  if (input.merchantId) conditions.push(Prisma.sql`c.merchant_id = ${input.merchantId}::uuid`);
  if (term !== null) conditions.push(foldedContains(Prisma.sql`c.search_text`, term));
  return Prisma.join(conditions, " and ");
}

const KEYS: Record<(typeof CUSTOMER_SORTS)[number], Key> = {
  joined: timeKey(Prisma.sql`c.registered_at`),
  name: nameKey(Prisma.sql`c.full_name`),
};

function orderOf({ sort }: Pick<ListCustomers, "sort">): Order {
  const { field, down } = parseSort(sort ?? "-joined");
  return { keys: [KEYS[field]], id: Prisma.sql`c.id`, down };
}

// The planner assumes that hits are spread evenly over the index by name, but similar names are adjacent. Up to this many
// hits are therefore sorted directly; with more hits, reading along the index finds a page quickly.
const MAX_SORTED_HITS = 5_000;

/** The FROM clause of a page's customers. */
async function rowsOf(ctx: Context, where: Prisma.Sql, { search, sort }: ListCustomers): Promise<Prisma.Sql> {
  const all = Prisma.sql`customers c where ${where}`;
  if (termOf(search) === null || !sort?.endsWith("name")) return all;
  const [many] = await ctx.db.$queryRaw<unknown[]>`
    select 1 from customers c where ${where} offset ${MAX_SORTED_HITS} limit 1`;
  return many ? all : Prisma.sql`(select * from customers c where ${where} offset 0) c where true`;
}

function customersPage(
  from: Prisma.Sql,
  order: Order,
  { limit, offset, now }: { limit: number; offset: number; now: Date },
): Prisma.Sql {
  return Prisma.sql`
    select ${CUSTOMER_COLUMNS} from (
      select c.* from ${from}
      order by ${ordered(order)} limit ${limit + 1} offset ${offset}
    ) c ${customerJoins(now)}
    order by ${ordered(order)}`;
}

/** The number of customers that match the filters. A search stops counting at MAX_SEARCH_COUNT. */
async function totalOf(ctx: Context, reach: Reach, where: Prisma.Sql, input: ListCustomers): Promise<number> {
  const { merchantId, status, search } = input;
  if (termOf(search) === null) {
    const within: Reach = merchantId && reach.scope === "any" ? { scope: "merchant", merchantId } : reach;
    return countCustomers(ctx.db, within, status, await readMerchantDays(ctx.db, qatarDay(ctx.clock())));
  }
  const [hits] = await ctx.db.$queryRaw<{ total: number }[]>`
    select count(*)::int as total
    from (select 1 from customers c where ${where} limit ${MAX_SEARCH_COUNT}) hits`;
  return hits?.total ?? 0;
}

/** A page of the customers within the caller's reach, newest first by default, with the total of the filtered set. */
export async function listCustomers(ctx: Context, input: ListCustomers): Promise<CustomerList> {
  const reach = authorize(ctx.actor, "customers.read");
  const where = customersWhere(reach, input);
  const order = orderOf(input);
  const after = await afterCursor(ctx.db, { from: Prisma.sql`customers c`, where }, order, input.cursor);
  const from = await rowsOf(ctx, where, input);
  const offset = input.cursor ? 0 : ((input.page ?? 1) - 1) * input.limit;
  const [rows, total] = await Promise.all([
    ctx.db.$queryRaw<CustomerRow[]>(
      customersPage(Prisma.sql`${from} and ${after}`, order, {
        limit: input.limit,
        offset,
        now: ctx.clock(),
      }),
    ),
    totalOf(ctx, reach, where, input),
  ]);
  const shown = rows.slice(0, input.limit);
  const nextCursor = rows.length > input.limit ? (shown.at(-1)?.id ?? null) : null;
  return { customers: shown.map(toListedCustomer), total, nextCursor };
}
listCustomers.permission = "customers.read" as const;
listCustomers.input = listCustomersSchema;

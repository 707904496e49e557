import { auditExport } from "@/lib/audit/audit";
import { MIN_SEARCH_LENGTH } from "@/lib/counter/model/panel-search";
import type { Context, ReachContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { afterCursor, type Key, nameKey, type Order, ordered, pageOf, timeKey } from "@/lib/db/paging";
import { andMerchant, customersNamed, MOVEMENT_KIND, rowCount, searchTerm } from "@/lib/db/query";
import { readPart } from "@/lib/db/replica";
import { countCustomers, readMerchantDays } from "@/lib/db/sums";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import { merchantName } from "@/lib/domain/localized-names";
import { parseSort } from "@/lib/domain/paging";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { CUSTOMER_COLUMNS, type CustomerRecord, customerJoins, toListedCustomer } from "./customer";
import {
  type Covered,
  type CUSTOMER_SORTS,
  type CustomersFilter,
  customersFilterSchema,
  DORMANT_DAYS,
  type ListCustomers,
  listCustomersSchema,
  MAX_SEARCH_COUNT,
  SHOW_READS_AT_MOST,
  SORTED_HITS_AT_MOST,
  TOP_CUSTOMERS,
  TOP_DAYS,
} from "./model/customers";
import type { CustomerList, ListedCustomer } from "./names";

const DAY = 86_400_000;

/** A saved filter's condition on `customers c`, null without one. `best`: the top customers, the first one first. */
type Shown = { condition: Prisma.Sql; best: string[] | null; covered: Covered | null } | null;

/** The customers of a merchant who paid in the most within TOP_DAYS, less what was undone, by its latest movements. */
async function bestCustomers(ctx: Context, merchantId: string): Promise<Shown> {
  const since = new Date(ctx.clock().getTime() - TOP_DAYS * DAY);
  const rows = await ctx.db.$queryRaw<{ id: string | null; since: Date | null }[]>`
    with latest as materialized (
      select customer_id, created_at, points, rate, ${MOVEMENT_KIND} as kind from movements
      where merchant_id = ${merchantId}::uuid and created_at >= ${since}
      order by created_at desc limit ${rowCount(SHOW_READS_AT_MOST)}
    ), best as (
      select customer_id, sum(points::bigint * rate) as dirhams
      from latest join customers c on c.id = customer_id and c.status <> 'erased' where kind = 'TOP_UP'
      group by customer_id having sum(points) > 0 order by 2 desc, 1 limit ${TOP_CUSTOMERS}
    )
    select b.customer_id::text as id, l.since from (
      select min(created_at) filter (where many = ${SHOW_READS_AT_MOST}) as since
      from (select created_at, count(*) over () as many from latest) counted
    ) l left join best b on true order by b.dirhams desc, b.customer_id`;
  const best = rows.flatMap(({ id }) => id ?? []);
  const cut = rows[0]?.since;
  const covered: Covered | null = cut ? { only: "transactions", since: cut } : null;
  return { condition: Prisma.sql`c.id = any (${best}::uuid[])`, best, covered };
}

/** The customers on whose card nothing happened for DORMANT_DAYS. A list looks at those who joined last. */
async function dormantCustomers(ctx: Context, merchantId: string, all: boolean): Promise<Shown> {
  // No index holds last_posted_at, which would make every posting slower: the merchant's customers are read.
  const before = new Date(ctx.clock().getTime() - DORMANT_DAYS * DAY);
  const dormant = Prisma.sql`coalesce(c.last_posted_at, c.registered_at) < ${before}`;
  const first = all
    ? null
    : await ctx.db.customer.findFirst({
        where: { merchantId },
        orderBy: [{ registeredAt: "desc" }, { id: "desc" }],
        skip: SHOW_READS_AT_MOST,
        select: { registeredAt: true },
      });
  if (!first) return { condition: dormant, best: null, covered: null };
  const condition = Prisma.sql`${dormant} and c.registered_at > ${first.registeredAt}`;
  return { condition, best: null, covered: { only: "customers" } };
}

/** The saved filter of a list, or of an export. Without a merchant there is none: it would read those of all. */
async function shownOf(
  ctx: ReachContext,
  { show, merchantId }: CustomersFilter,
  isExport: boolean,
): Promise<Shown> {
  const { reach } = ctx;
  const own = reach.scope === "any" ? merchantId : (reach.merchantId ?? undefined);
  if (show === undefined || own === undefined) return null;
  return show === "dormant" ? dormantCustomers(ctx, own, isExport) : bestCustomers(ctx, own);
}

/** The term of a search, or null if it is too short. */
function termOf(search: string | undefined): string | null {
  return search !== undefined && [...searchTerm(search)].length >= MIN_SEARCH_LENGTH ? search : null;
}

async function customersWhere({ db, reach }: ReachContext, input: CustomersFilter): Promise<Prisma.Sql> {
  const term = termOf(input.search);
  const conditions = [
    input.status
      ? Prisma.sql`c.status = ${input.status}::"CustomerStatus"`
      : Prisma.sql`c.status <> 'erased'::"CustomerStatus"`,
  ];
  if (reach.scope !== "any") conditions.push(Prisma.sql`c.merchant_id = ${reach.merchantId}::uuid`);
  if (input.merchantId) conditions.push(Prisma.sql`c.merchant_id = ${input.merchantId}::uuid`);
  if (term !== null)
    conditions.push(await customersNamed(db, merchantWhere(reach).merchantId ?? input.merchantId, term));
  return Prisma.join(conditions, " and ");
}

const KEYS: Record<(typeof CUSTOMER_SORTS)[number], Key> = {
  joined: timeKey(Prisma.sql`c.registered_at`),
  name: nameKey(Prisma.sql`c.full_name`),
};

function orderOf({ sort }: Pick<ListCustomers, "sort">, shown: Shown): Order {
  if (shown?.best && sort === undefined) {
    const place = Prisma.sql`array_position(${shown.best}::uuid[], c.id)`;
    return { keys: [{ by: place, type: Prisma.sql`int` }], id: Prisma.sql`c.id`, down: false };
  }
  const { field, down } = parseSort(sort ?? "-joined");
  return { keys: [KEYS[field]], id: Prisma.sql`c.id`, down };
}

/** Sorts the hits of a search: similar names are adjacent, so the index by name may read all others first. */
async function rowsOf(
  ctx: Context,
  { where, shown, isExport }: Matched,
  { search, sort }: ListCustomers,
): Promise<{ from: Prisma.Sql; covered: Covered | null }> {
  const covered = shown?.covered ?? null;
  const isSorted = termOf(search) !== null && sort?.endsWith("name");
  if (!isSorted && covered?.only !== "customers")
    return { from: Prisma.sql`customers c where ${where}`, covered };
  const hits = Prisma.sql`select * from customers c where ${where}`;
  const all = { from: Prisma.sql`(${hits} offset 0) c where true`, covered };
  if (!isSorted || isExport) return all;
  const one = Prisma.sql`select 1 from (${hits} offset ${SORTED_HITS_AT_MOST} limit 1) c`;
  if ((await ctx.db.$queryRaw<unknown[]>(one)).length === 0) return all;
  const from = Prisma.sql`(${hits} limit ${SORTED_HITS_AT_MOST}) c where true`;
  return { from, covered: covered ?? { only: "hits" } };
}

/** The number of customers that match the filters. A search or a saved filter stops counting at MAX_SEARCH_COUNT. */
async function totalOf(
  ctx: ReachContext,
  { where, shown }: Matched,
  input: CustomersFilter,
): Promise<number> {
  const { merchantId, status, search } = input;
  const { reach } = ctx;
  if (termOf(search) === null && !shown) {
    const within: Reach = merchantId && reach.scope === "any" ? { scope: "merchant", merchantId } : reach;
    return countCustomers(ctx.db, within, status, await readMerchantDays(ctx.db, qatarDay(ctx.clock())));
  }
  const [hits] = await ctx.db.$queryRaw<{ total: number }[]>`
    select count(*)::int as total
    from (select 1 from customers c where ${where} limit ${MAX_SEARCH_COUNT}) hits`;
  return hits?.total ?? 0;
}

/** The reach, and reach and filters, as conditions on `customers c`; with what a saved filter found. */
type Matched = { within: Prisma.Sql; where: Prisma.Sql; shown: Shown; isExport: boolean };

async function matched(ctx: ReachContext, input: CustomersFilter, isExport = false): Promise<Matched> {
  const shown = await shownOf(ctx, input, isExport);
  const where = await customersWhere(ctx, input);
  const within = Prisma.sql`true ${andMerchant(ctx.reach)}`;
  return { within, where: shown ? Prisma.sql`${where} and ${shown.condition}` : where, shown, isExport };
}

async function pageOfCustomers(
  ctx: Context,
  match: Matched,
  input: ListCustomers,
): Promise<Omit<CustomerList, "total">> {
  const { within, shown } = match;
  const order = orderOf(input, shown);
  const after = await afterCursor(ctx.db, { from: Prisma.sql`customers c`, within }, order, input.cursor);
  const { from, covered } = await rowsOf(ctx, match, input);
  const skipped = input.cursor ? 0 : ((input.page ?? 1) - 1) * input.limit;
  const offset = skipped > 0 ? Prisma.sql`offset ${skipped}` : Prisma.empty;
  const rows = await ctx.db.$queryRaw<CustomerRecord[]>`
    select ${CUSTOMER_COLUMNS} from (
      select c.* from ${from} and ${after}
      order by ${ordered(order)} limit ${rowCount(input.limit + 1)} ${offset}
    ) c ${customerJoins(ctx.clock())}
    order by ${ordered(order)}`;
  const { results, nextCursor } = pageOf(rows, input, (row) => toListedCustomer(row, ctx.actor));
  return { customers: results, nextCursor, covered };
}

/** A page of the customers within the caller's reach, newest first by default, with the total of the filtered set. */
export const listCustomers = operation({
  permission: "customers.read",
  input: listCustomersSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, input): Promise<CustomerList> => {
    const match = await matched(ctx, input);
    const [page, total] = await Promise.all([pageOfCustomers(ctx, match, input), totalOf(ctx, match, input)]);
    return { ...page, total };
  },
});

const EXPORT_ROWS = 1_000;

async function* eachCustomer(
  ctx: Context,
  match: Matched,
  filter: CustomersFilter,
): AsyncGenerator<ListedCustomer[]> {
  for (let cursor: string | undefined; ; ) {
    const part = { ...filter, cursor, limit: EXPORT_ROWS };
    const page = await readPart(ctx, (on) => pageOfCustomers(on, match, part));
    if (page.customers.length > 0) yield page.customers;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The customers of the filter within the caller's reach, in parts that are read as they are asked for. */
export const exportCustomers = operation({
  permission: "customers.read",
  input: customersFilterSchema,
  readOnly: true,
  mayLag: true,
  stepUp: true,
  run: async (ctx, filter): Promise<AsyncGenerator<ListedCustomer[]>> => {
    const match = await matched(ctx, filter, true);
    await auditExport(ctx, "export.customers", filter);
    return eachCustomer(ctx, match, filter);
  },
});

/** Customers as a CSV download in the user's language. The response is streamed. */
export function customersCsv(locale: Locale, parts: AsyncIterable<ListedCustomer[]>, now: Date): Response {
  const t = translator(locale);
  return csvTable(
    `customers-${qatarDay(now)}.csv`,
    parts,
    {
      publicId: (customer) => customer.publicId,
      fullName: (customer) => customer.fullName,
      email: (customer) => customer.email,
      phone: (customer) => customer.phone,
      status: (customer) => t(`customers.statuses.${customer.status}`),
      points: (customer) => customer.balance,
      value: (customer) => Number(customer.cashValue),
      since: (customer) => qatarDay(customer.registeredAt),
      merchant: (customer) => merchantName(customer.merchant, locale),
      code: (customer) => customer.code,
    },
    (column) => t(`customers.csv.${column}`),
  );
}

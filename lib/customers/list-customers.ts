import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize, type Reach } from "@/lib/domain/actor";
import { COUNTED_AT_MOST, type CustomerList, SEARCH_LETTERS } from "@/lib/domain/customers";
import { toLatinDigits } from "@/lib/domain/money";
import type { ListCustomers } from "@/lib/domain/schemas/customers";
import { CUSTOMER_COLUMNS, CUSTOMER_JOINS, type CustomerRow, customerOf } from "./customer-rows";

/** The term as a LIKE pattern over search_text (phones stand there without spaces), or null when it is too short to be one. */
function patternOf(search: string | undefined): string | null {
  const given = toLatinDigits(search?.toLowerCase() ?? "");
  const term = /^\+?[\d\s]+$/.test(given) ? given.replace(/\s+/g, "") : given;
  if ([...term].length < SEARCH_LETTERS) return null;
  return `%${term.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Which customers the reach and the filters let through, as conditions on `customers c`. */
export function customersWhere(reach: Reach, input: Omit<ListCustomers, "limit">): Prisma.Sql {
  const pattern = patternOf(input.search);
  const conditions = [
    input.status
      ? Prisma.sql`c.status = ${input.status}::"CustomerStatus"`
      : Prisma.sql`c.status <> 'erased'::"CustomerStatus"`,
  ];
  if (reach.scope !== "any") conditions.push(Prisma.sql`c.merchant_id = ${reach.merchantId}::uuid`);
  if (input.merchantId) conditions.push(Prisma.sql`c.merchant_id = ${input.merchantId}::uuid`);
  if (pattern) conditions.push(Prisma.sql`c.search_text like ${pattern}`);
  return Prisma.join(conditions, " and ");
}

/** The place of the last page's last customer, as a condition; none when the cursor names nobody within the filters. */
async function afterCursor(db: Db, where: Prisma.Sql, cursor: string | undefined): Promise<Prisma.Sql> {
  if (!cursor) return Prisma.empty;
  const [last] = await db.$queryRaw<{ at: string }[]>`
    select c.registered_at::text as at from customers c where c.id = ${cursor}::uuid and ${where}`;
  // Text, since a JavaScript date would drop the microseconds.
  return last
    ? Prisma.sql`and (c.registered_at, c.id) < (${last.at}::timestamptz, ${cursor}::uuid)`
    : Prisma.empty;
}

/** Newest first. Exported for the test of its plan. */
export function customersPage(where: Prisma.Sql, after: Prisma.Sql, limit: number, offset = 0): Prisma.Sql {
  return Prisma.sql`
    select ${CUSTOMER_COLUMNS} from (
      select * from customers c where ${where} ${after}
      order by c.registered_at desc, c.id desc limit ${limit + 1} offset ${offset}
    ) c ${CUSTOMER_JOINS}
    order by c.registered_at desc, c.id desc`;
}

export function customersCount(where: Prisma.Sql, searched: boolean): Prisma.Sql {
  if (!searched) return Prisma.sql`select count(*)::int as total from customers c where ${where}`;
  return Prisma.sql`select count(*)::int as total
    from (select 1 from customers c where ${where} limit ${COUNTED_AT_MOST}) hits`;
}

/** A page of the caller's customers, newest first, with the total of the filtered set. */
export async function listCustomers(ctx: Context, input: ListCustomers): Promise<CustomerList> {
  const reach = authorize(ctx.actor, "customers.read");
  const where = customersWhere(reach, input);
  const after = await afterCursor(ctx.db, where, input.cursor);
  const offset = input.cursor ? 0 : ((input.page ?? 1) - 1) * input.limit;
  const [rows, [count]] = await Promise.all([
    ctx.db.$queryRaw<CustomerRow[]>(customersPage(where, after, input.limit, offset)),
    ctx.db.$queryRaw<{ total: number }[]>(customersCount(where, patternOf(input.search) !== null)),
  ]);
  const shown = rows.slice(0, input.limit);
  const nextCursor = rows.length > input.limit ? (shown.at(-1)?.id ?? null) : null;
  return { customers: shown.map(customerOf), total: count?.total ?? 0, nextCursor };
}
listCustomers.permission = "customers.read" as const;

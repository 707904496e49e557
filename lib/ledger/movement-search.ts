import { parseReceiptNumber } from "@/lib/customers/model/customer-code";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { customersNamed, eitherIdIs, escapeLike, nameOrWhole, rowCount } from "@/lib/db/query";
import { hasPermission, type Reach, type StaffActor } from "@/lib/domain/actor";
import { isId } from "@/lib/domain/is-id";
import { toLatinDigits } from "@/lib/domain/money";
import type { MovementFilter } from "./model/movement-queries";

/** The customers looked up one by one. With more of them, the newest movements fill a page quickly. */
export const FEW = 1_000;

/** Up to this number of customers, all are read to find those with the latest postings. */
const MANY = 2_000;
/** The number of customers with the latest postings: more than a page, because a filter may leave some out. */
const LAST = 100;

/** The customers of a first page: those with the latest postings, and when the next one had one (null: none). */
type Recent = { ids: string[]; nextAt: Date | null };

/** Customers `c` by `where`: all `ids`, and the `recent` with the latest postings; null if too many. */
type NamedCustomers = {
  where: Prisma.Sql;
  ids: string[] | null;
  recent: Recent | null;
  movements: number;
};

// A shorter term must be the whole bill number; a longer one may be its beginning.
const BEGINNING = 3;

/** How the bill number may be stored: with the digits 0-9, or, for the oldest ones, as it was typed. */
function writtenAs(search: string): string[] {
  const term = search.trim();
  return [...new Set([toLatinDigits(term), term])];
}

function saleBegins(term: string): Prisma.Sql {
  if (term.length < BEGINNING) return Prisma.sql`lower(m.sale_ref) = lower(${term})`;
  return Prisma.sql`lower(m.sale_ref) LIKE lower(${`${escapeLike(term)}%`})`;
}

/** Whether a movement `m` has this bill number. */
export function saleIs(search: string): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(writtenAs(search).map(saleBegins), " OR ")})`;
}

/** Movements with this bill number, at most `limit` a merchant (null: of all), in the order of the index. */
export function salesOf(
  merchantId: string | null,
  search: string,
  limit: number,
  more: Prisma.Sql[] = [],
): Prisma.Sql {
  const of = (merchant: Prisma.Sql) =>
    Prisma.join(
      writtenAs(search).map(
        (term) => Prisma.sql`(SELECT m.* FROM movements m
          WHERE ${Prisma.join([Prisma.sql`m.merchant_id = ${merchant}`, saleBegins(term), ...more], " AND ")}
          ORDER BY lower(m.sale_ref) USING ~<~ LIMIT ${rowCount(limit)})`,
      ),
      " UNION ALL ",
    );
  if (merchantId !== null) return Prisma.sql`SELECT m.* FROM (${of(Prisma.sql`${merchantId}::uuid`)}) m`;
  return Prisma.sql`SELECT m.* FROM merchants s CROSS JOIN LATERAL (${of(Prisma.sql`s.id`)}) m`;
}

/** The movement `m` of a whole term: by its id, or within one merchant by its receipt's number. Else null. */
export function movementIs(merchantId: string | null, term: string): Prisma.Sql | null {
  if (isId(term)) return Prisma.sql`m.id = ${term}::uuid`;
  const receipt = parseReceiptNumber(term);
  if (!receipt || merchantId === null) return null;
  return Prisma.sql`(m.seq = ${receipt.seq} AND m.customer_id = (
    SELECT c.id FROM customers c WHERE c.merchant_id = ${merchantId}::uuid AND c.code = ${receipt.code}))`;
}

/** The customers to whom a filter narrows the log, besides its search, as conditions on customers `c`. */
function chosen({ customerId, staffCards }: MovementFilter): Prisma.Sql[] {
  return [
    ...(customerId ? [eitherIdIs(customerId)] : []),
    ...(staffCards === "true" ? [Prisma.sql`c.held_by_staff`] : []),
  ];
}

/** The same as conditions on movements `m`. */
export function ofChosen(filter: MovementFilter): Prisma.Sql[] {
  const only = chosen(filter);
  if (only.length === 0) return [];
  const conditions = Prisma.join([Prisma.sql`c.id = m.customer_id`, ...only], " AND ");
  return [Prisma.sql`EXISTS (SELECT FROM customers c WHERE ${conditions})`];
}

/** Movements within the conditions of the reach that have the searched bill number: one more than FEW at most. */
export async function searchedSales(
  db: Db,
  reach: Reach,
  filter: MovementFilter,
  within: Prisma.Sql[],
): Promise<string[]> {
  if (!filter.search) return [];
  const merchantId = (reach.scope === "any" ? filter.merchantId : reach.merchantId) ?? null;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT m.id::text AS id FROM (${salesOf(merchantId, filter.search, FEW + 1, [...within, ...ofChosen(filter)])}) m LIMIT ${rowCount(FEW + 1)}`;
  return rows.map(({ id }) => id);
}

export type Asked = Pick<Context<StaffActor>, "db" | "actor"> & { reach: Reach };

const readsContacts = ({ actor }: Asked): boolean =>
  actor.type === "apiKey" ? actor.scopes.includes("customers.read") : hasPermission(actor, "customers.read");

async function searched(asked: Asked, filter: MovementFilter): Promise<Prisma.Sql[]> {
  const { db, reach } = asked;
  const { search, merchantId } = filter;
  const own = reach.scope === "any" ? merchantId : (reach.merchantId ?? undefined);
  const conditions = [...(own ? [Prisma.sql`c.merchant_id = ${own}::uuid`] : []), ...chosen(filter)];
  if (search && isId(search)) conditions.push(eitherIdIs(search));
  else if (search) {
    conditions.push(await customersNamed(db, own, search));
    if (!readsContacts(asked)) conditions.push(nameOrWhole(search));
  }
  return conditions;
}

type Found = { id: string | null; at: Date | null; many: number; movements: number };

/** The customers that the filter names, or null when it names none. */
export async function searchedCustomers(
  asked: Asked,
  filter: MovementFilter,
): Promise<NamedCustomers | null> {
  if (!filter.search && !filter.customerId && filter.staffCards !== "true") return null;
  const where = Prisma.join([Prisma.sql`true`, ...(await searched(asked, filter))], " AND ");
  // The limit is outside "hits": it still stops reading early, but does not make the planner avoid the index.
  const rows = await asked.db.$queryRaw<Found[]>`
    WITH hits AS MATERIALIZED (
      SELECT c.id, c.last_posted_at AS at, c.movement_count AS movements FROM customers c WHERE ${where}
    ), looked AS MATERIALIZED (SELECT * FROM hits LIMIT ${rowCount(MANY + 1)}),
    counted AS (SELECT count(*)::int AS many, coalesce(sum(movements), 0)::int AS movements FROM looked)
    SELECT l.id::text AS id, l.at, counted.many, counted.movements FROM counted LEFT JOIN LATERAL (
      SELECT id, at FROM looked WHERE counted.many <= ${rowCount(MANY)}
      ORDER BY at DESC NULLS LAST LIMIT CASE WHEN counted.many <= ${rowCount(FEW)} THEN ${rowCount(FEW)} ELSE ${rowCount(LAST + 1)} END
    ) l ON true`;
  const { many, movements } = rows[0] ?? { many: 0, movements: 0 };
  const ids = rows.flatMap(({ id }) => id ?? []);
  return {
    where,
    ids: many <= FEW ? ids : null,
    recent: many <= MANY ? { ids: ids.slice(0, LAST), nextAt: rows[LAST]?.at ?? null } : null,
    movements,
  };
}

import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { eitherIdIs, escapeLike, foldedContains, rowCount } from "@/lib/db/query";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { toLatinDigits } from "@/lib/domain/money";
import type { MovementFilter } from "@/lib/domain/movement-queries";
import { addDays, dayStart } from "@/lib/domain/time";
import { byTime } from "./movement-rows";

/**
 * What a search named: customers, and movements by their bill number; `movements` is how many that are together.
 */
type Named = { ids: string[]; sales: string[]; movements: number };

/**
 * A filter as conditions on movements `m`. `named` when a search named few enough to look each of them up; `broad` when
 * it named more than that.
 */
export type Matching = { conditions: Prisma.Sql[]; named: Named | null; broad: boolean };

// Up to so many customers are looked up one by one; beyond, a page fills quickly from the newest movements.
const FEW = 1_000;

const and = (conditions: Prisma.Sql[]) =>
  conditions.length > 0 ? Prisma.sql`WHERE ${Prisma.join(conditions, " AND ")}` : Prisma.empty;

/** What a reach lets see, as a condition on movements `m`. */
export function withinReach(reach: Reach): Prisma.Sql[] {
  if (reach.scope === "any") return [];
  if (reach.scope === "own") return [Prisma.sql`m.actor_id = ${reach.userId}::uuid`];
  return [Prisma.sql`m.merchant_id = ${reach.merchantId}::uuid`];
}

/** How types and tenders are asked for: as they stand on movements `m`, or as sums count them. */
export type Kinds = {
  type: (type: NonNullable<MovementFilter["type"]>) => Prisma.Sql;
  tender: (tender: NonNullable<MovementFilter["tender"]>) => Prisma.Sql;
};
const PLAIN: Kinds = {
  type: (type) => Prisma.sql`m.type = ${type}::"MovementType"`,
  tender: (tender) => Prisma.sql`m.tender = ${tender}::"Tender"`,
};

/** Throws forbidden for staffCards within the actor's own movements only. */
export function assertFilterAllowed(reach: Reach, filter: MovementFilter): void {
  if (filter.staffCards && reach.scope === "own") throw new DomainError("forbidden");
}

/**
 * The filter within the reach. Resolves the searched customers first, since how many there are decides the plan.
 * Throws what assertFilterAllowed throws.
 */
export async function matching(
  db: Db,
  reach: Reach,
  filter: MovementFilter,
  kinds: Kinds = PLAIN,
): Promise<Matching> {
  const conditions = withinReach(reach);
  assertFilterAllowed(reach, filter);
  const { from, to, merchantId, branchId, workerId, tender } = filter;
  if (filter.type) conditions.push(kinds.type(filter.type));
  if (tender) conditions.push(kinds.tender(tender));
  if (from) conditions.push(Prisma.sql`m.created_at >= ${dayStart(from)}`);
  if (to) conditions.push(Prisma.sql`m.created_at < ${dayStart(addDays(to, 1))}`);
  if (merchantId) conditions.push(Prisma.sql`m.merchant_id = ${merchantId}::uuid`);
  if (branchId) conditions.push(Prisma.sql`m.branch_id = ${branchId}::uuid`);
  if (workerId) conditions.push(Prisma.sql`m.actor_id = ${workerId}::uuid`);
  if (filter.actorRole) {
    conditions.push(Prisma.sql`EXISTS (
      SELECT FROM users u WHERE u.id = m.actor_id AND u.role = ${filter.actorRole}::"Role")`);
  }
  if (await isReference(db, filter.search)) {
    conditions.push(Prisma.sql`m.id = ${filter.search}::uuid`);
    return matchingCustomers(db, reach, conditions, { ...filter, search: undefined });
  }
  return matchingCustomers(db, reach, conditions, filter);
}

/** Whether the term is a movement's own id: then that movement is meant, not its customer. */
async function isReference(db: Db, search: string | undefined): Promise<boolean> {
  if (!isId(search)) return false;
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM movements WHERE id = ${search}::uuid`;
  return rows.length > 0;
}

async function matchingCustomers(
  db: Db,
  reach: Reach,
  conditions: Prisma.Sql[],
  filter: MovementFilter,
): Promise<Matching> {
  const [customers, sales] = await Promise.all([
    searchedCustomers(db, reach, filter),
    searchedSales(db, reach, filter),
  ]);
  if (customers === null) return { conditions, named: null, broad: false };
  if (customers.ids.length <= FEW && sales.length <= FEW) {
    const named = { ...customers, sales, movements: customers.movements + sales.length };
    return { conditions, named, broad: false };
  }
  const who = and([Prisma.sql`c.id = m.customer_id`, ...searched(reach, filter)]);
  const sale = sales.length > 0 ? Prisma.sql`OR ${saleIs(filter.search ?? "")}` : Prisma.empty;
  // OFFSET keeps the planner, which takes every term for a rare one, from looking up all their movements first.
  conditions.push(Prisma.sql`(EXISTS (SELECT FROM customers c ${who} OFFSET 0) ${sale})`);
  return { conditions, named: null, broad: true };
}

// A shorter term is a whole bill number, a longer one the beginning of one.
const BEGINNING = 3;

/** Whether a movement `m` has this bill number, by the index movements_sale_ref. */
export function saleIs(search: string): Prisma.Sql {
  const term = search.trim();
  // Bill numbers are stored with the digits 0-9, but the oldest ones as they were typed.
  const [latin, typed] = [saleBegins(toLatinDigits(term)), saleBegins(term)];
  return toLatinDigits(term) === term ? typed : Prisma.sql`(${latin} OR ${typed})`;
}

function saleBegins(term: string): Prisma.Sql {
  if (term.length < BEGINNING) return Prisma.sql`lower(m.sale_ref) = lower(${term})`;
  return Prisma.sql`lower(m.sale_ref) LIKE lower(${`${escapeLike(term)}%`})`;
}

/** Movements within the reach that have the searched bill number: one more than FEW at most. */
async function searchedSales(db: Db, reach: Reach, filter: MovementFilter): Promise<string[]> {
  if (!filter.search || filter.customerId || filter.staffCards) return [];
  const own = filter.merchantId ? [Prisma.sql`m.merchant_id = ${filter.merchantId}::uuid`] : [];
  const conditions = and([saleIs(filter.search), ...withinReach(reach), ...own]);
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT m.id::text AS id FROM movements m ${conditions} LIMIT ${rowCount(FEW + 1)}`;
  return rows.map(({ id }) => id);
}

function searched(reach: Reach, filter: MovementFilter): Prisma.Sql[] {
  const { search, merchantId, customerId, staffCards } = filter;
  const own = reach.scope === "any" ? merchantId : (reach.merchantId ?? undefined);
  const conditions = own ? [Prisma.sql`c.merchant_id = ${own}::uuid`] : [];
  if (customerId) conditions.push(eitherIdIs(customerId));
  if (staffCards) conditions.push(Prisma.sql`c.held_by_staff`);
  if (search) conditions.push(textOrId(search));
  return conditions;
}

function textOrId(search: string): Prisma.Sql {
  if (!isId(search)) return foldedContains(Prisma.sql`c.search_text`, search);
  return eitherIdIs(search);
}

/** The customers that the filter names (one more than FEW at most), or null when it names none. */
async function searchedCustomers(
  db: Db,
  reach: Reach,
  filter: MovementFilter,
): Promise<Omit<Named, "sales"> | null> {
  if (!filter.search && !filter.customerId && !filter.staffCards) return null;
  const rows = await db.$queryRaw<{ id: string; movements: number }[]>`
    SELECT c.id, c.movement_count AS movements FROM customers c ${and(searched(reach, filter))}
    ORDER BY c.registered_at DESC, c.id DESC LIMIT ${rowCount(FEW + 1)}`;
  return {
    ids: rows.map((row) => row.id),
    movements: rows.reduce((sum, row) => sum + row.movements, 0),
  };
}

/** The matching rows of movements, newest first or oldest; `limit` of them from after the movement `cursor`. */
export function matchingPage(
  { conditions, named }: Matching,
  limit: number,
  { cursor, oldestFirst = false }: { cursor?: string; oldestFirst?: boolean } = {},
): Prisma.Sql {
  const than = oldestFirst ? Prisma.sql`>` : Prisma.sql`<`;
  const after = cursor
    ? [
        Prisma.sql`(m.created_at, m.id) ${than}
          ((SELECT created_at FROM movements WHERE id = ${cursor}::uuid), ${cursor}::uuid)`,
      ]
    : [];
  const ordered = Prisma.sql`ORDER BY ${byTime(oldestFirst)} LIMIT ${rowCount(limit)}`;
  if (named === null) {
    return Prisma.sql`SELECT m.* FROM movements m ${and([...conditions, ...after])} ${ordered}`;
  }
  const each = and([Prisma.sql`m.customer_id = wanted.id`, ...conditions, ...after]);
  const ofCustomers = Prisma.sql`SELECT m.* FROM unnest(${named.ids}::uuid[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT m.* FROM movements m ${each} ${ordered}) m`;
  if (named.sales.length === 0) return Prisma.sql`${ofCustomers} ${ordered}`;
  const sales = and([
    Prisma.sql`m.id = ANY (${named.sales}::uuid[])`,
    Prisma.sql`m.customer_id <> ALL (${named.ids}::uuid[])`,
    ...conditions,
    ...after,
  ]);
  return Prisma.sql`SELECT m.* FROM (${ofCustomers} UNION ALL SELECT m.* FROM movements m ${sales}) m ${ordered}`;
}

/** All matching rows, for sums. */
export function matchingAll({ conditions, named }: Matching): Prisma.Sql {
  if (named === null) return Prisma.sql`movements m ${and(conditions)}`;
  const ofCustomers = Prisma.sql`m.customer_id = ANY (${named.ids}::uuid[])`;
  const either =
    named.sales.length > 0
      ? Prisma.sql`(${ofCustomers} OR m.id = ANY (${named.sales}::uuid[]))`
      : ofCustomers;
  return Prisma.sql`movements m ${and([...conditions, either])}`;
}

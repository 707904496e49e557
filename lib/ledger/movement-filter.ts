import type { Db } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_KIND, rowCount } from "@/lib/db/query";
import { summedUntil, unsummed } from "@/lib/db/sums";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { addDays, dayStart } from "@/lib/domain/time";
import type { MovementFilter } from "./model/movement-queries";
import { MOVEMENT_TYPES } from "./model/movements";
import { TENDERS } from "./model/tender";
import { byTime } from "./movement-rows";
import {
  type Asked,
  FEW,
  movementIs,
  ofChosen,
  saleIs,
  searchedCustomers,
  searchedSales,
} from "./movement-search";

/** The result of a search: customers, movements with the bill number, and the number of these movements. */
type Named = { ids: string[]; sales: string[]; movements: number };

/** The days that a filter may match: from the first one, those for which a condition on `d.day` holds. */
type Days = { first: Prisma.Sql; holds: Prisma.Sql };

/**
 * A filter as conditions on movements `m`. `days`: it may match few movements of the reach, so that a page reads only some
 * days. `named`: a search found few enough customers to look each of them up. `broad`: it found more. `recent`: the newest
 * movements can be read from some of the customers alone.
 */
export type Matching = {
  conditions: Prisma.Sql[];
  days: Days | null;
  named: Named | null;
  broad: boolean;
  recent: { of: Matching; nextAt: Date | null } | null;
};

const and = (conditions: Prisma.Sql[]) =>
  conditions.length > 0 ? Prisma.sql`WHERE ${Prisma.join(conditions, " AND ")}` : Prisma.empty;

/** The movements within a reach, as a condition on movements `m`. */
export function withinReach(reach: Reach): Prisma.Sql[] {
  if (reach.scope === "any") return [];
  if (reach.scope === "own") return [Prisma.sql`m.actor_id = ${reach.userId}::uuid`];
  return [Prisma.sql`m.merchant_id = ${reach.merchantId}::uuid`];
}

// Constants: a generic plan cannot use the index of rare types, and takes all tenders for equally frequent.
const inText = (kinds: readonly string[], kind: string, type: string): Prisma.Sql => {
  if (!kinds.includes(kind)) throw new RangeError(`${kind} is no ${type}`);
  return Prisma.raw(`'${kind}'::"${type}"`);
};
export const typeInText = (type: string): Prisma.Sql => inText(MOVEMENT_TYPES, type, "MovementType");
export const tenderInText = (tender: string): Prisma.Sql => inText(TENDERS, tender, "Tender");

/** A type, as stored in movements `m`, or as the daily sums count it: a reversal with what it reverses. */
function typeIs(type: string, asSummed: boolean): Prisma.Sql {
  const is = Prisma.sql`m.type = ${typeInText(type)}`;
  if (!asSummed || type === "REVERSAL") return is;
  return Prisma.sql`(${is} OR m.type = 'REVERSAL') AND ${MOVEMENT_KIND} = ${typeInText(type)}`;
}

function tenderIs(tender: string, asSummed: boolean): Prisma.Sql {
  const is = Prisma.sql`m.tender = ${tenderInText(tender)}`;
  if (!asSummed) return is;
  return Prisma.sql`(${is} OR m.reverses_type = 'TOP_UP' AND EXISTS (
    SELECT FROM movements t WHERE t.id = m.reverses_id AND t.tender = ${tenderInText(tender)}))`;
}

/** Days by the staff's sums: two movements may lie years apart. What is in no sum is of the last days. */
async function daysOf(db: Db, reach: Reach, filter: MovementFilter): Promise<Days | null> {
  const { branchId, tender } = filter;
  const staff = (reach.scope === "own" ? reach.userId : filter.workerId) ?? null;
  const merchantId = (reach.scope === "any" ? filter.merchantId : reach.merchantId) ?? null;
  if (staff === null ? !tender || merchantId === null : !tender && !branchId) return null;
  const sums = [Prisma.sql`s.day = d.day`];
  if (staff !== null) sums.push(Prisma.sql`s.actor_id = ${staff}::uuid`);
  if (merchantId !== null) sums.push(Prisma.sql`s.merchant_id = ${merchantId}::uuid`);
  if (branchId) sums.push(Prisma.sql`s.branch_id = ${branchId}::uuid`);
  if (tender) sums.push(Prisma.sql`s.tender = ${tenderInText(tender)}`);
  const fresh = Prisma.sql`(SELECT min(qatar_day(created_at)) FROM movements WHERE ${unsummed(await summedUntil(db), [])})`;
  const oldest =
    staff === null
      ? Prisma.sql`(SELECT min(day) FROM daily_sums WHERE merchant_id = ${merchantId}::uuid)`
      : Prisma.sql`(SELECT min(day) FROM staff_sums WHERE actor_id = ${staff}::uuid)`;
  return {
    first: Prisma.sql`least(${oldest}, ${fresh}, qatar_day(now()))`,
    holds: Prisma.sql`(d.day >= ${fresh} OR EXISTS (SELECT FROM staff_sums s WHERE ${Prisma.join(sums, " AND ")}))`,
  };
}

/** Throws forbidden for staffCards within the actor's own movements only. */
export function assertFilterAllowed(reach: Reach, filter: MovementFilter): void {
  if (filter.staffCards === "true" && reach.scope === "own") throw new DomainError("forbidden");
}

/** The filter within the reach. `asSummed`: a reversal counts as what it reverses. Throws forbidden. */
export async function matching(asked: Asked, filter: MovementFilter, asSummed = false): Promise<Matching> {
  const { db, reach } = asked;
  const conditions = withinReach(reach);
  // The rare types have an index by merchant.
  if (
    reach.scope === "own" &&
    reach.merchantId !== null &&
    !["TOP_UP", "REDEEM", undefined].includes(filter.type)
  )
    conditions.push(Prisma.sql`m.merchant_id = ${reach.merchantId}::uuid`);
  assertFilterAllowed(reach, filter);
  const { from, to, merchantId, branchId, workerId, keyId, tender } = filter;
  if (filter.type) conditions.push(typeIs(filter.type, asSummed));
  if (tender) conditions.push(tenderIs(tender, asSummed));
  if (from) conditions.push(Prisma.sql`m.created_at >= ${dayStart(from)}`);
  if (to) conditions.push(Prisma.sql`m.created_at < ${dayStart(addDays(to, 1))}`);
  if (merchantId) conditions.push(Prisma.sql`m.merchant_id = ${merchantId}::uuid`);
  if (branchId) conditions.push(Prisma.sql`m.branch_id = ${branchId}::uuid`);
  if (branchId && reach.scope === "any" && !merchantId)
    conditions.push(
      Prisma.sql`m.merchant_id = (SELECT merchant_id FROM branches WHERE id = ${branchId}::uuid)`,
    );
  if (workerId) conditions.push(Prisma.sql`m.actor_id = ${workerId}::uuid`);
  if (keyId) conditions.push(Prisma.sql`m.api_key_id = ${keyId}::uuid`);
  if (filter.actorRole) {
    conditions.push(Prisma.sql`EXISTS (
      SELECT FROM users u WHERE u.id = m.actor_id AND u.role = ${filter.actorRole}::"Role")`);
  }
  const one = await referenceOf(db, reach, filter);
  if (one) {
    conditions.push(one);
    return matchingCustomers(asked, conditions, { ...filter, search: undefined });
  }
  const match = await matchingCustomers(asked, conditions, filter);
  const isPlain = !asSummed && match.named === null && !match.broad;
  return isPlain ? { ...match, days: await daysOf(db, reach, filter) } : match;
}

/** The movement that the term names, if there is one: then that is meant, not its customer. */
async function referenceOf(db: Db, reach: Reach, filter: MovementFilter): Promise<Prisma.Sql | null> {
  const merchantId = (reach.scope === "any" ? filter.merchantId : reach.merchantId) ?? null;
  const one = filter.search ? movementIs(merchantId, filter.search) : null;
  if (one === null) return null;
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM movements m WHERE ${one}`;
  return rows.length > 0 ? one : null;
}

async function matchingCustomers(
  asked: Asked,
  conditions: Prisma.Sql[],
  filter: MovementFilter,
): Promise<Matching> {
  const [customers, sales] = await Promise.all([
    searchedCustomers(asked, filter),
    searchedSales(asked.db, asked.reach, filter, withinReach(asked.reach)),
  ]);
  const plain = { conditions, days: null, named: null, broad: false, recent: null };
  if (customers === null) return plain;
  const { ids, movements, recent: latest } = customers;
  const recent =
    latest && sales.length <= FEW
      ? { of: { ...plain, named: { ids: latest.ids, sales, movements: 0 } }, nextAt: latest.nextAt }
      : null;
  if (ids !== null && sales.length <= FEW) {
    return { ...plain, named: { ids, sales, movements: movements + sales.length }, recent };
  }
  const who = Prisma.sql`WHERE c.id = m.customer_id AND ${customers.where}`;
  const bill = Prisma.join([saleIs(filter.search ?? ""), ...ofChosen(filter)], " AND ");
  const sale = sales.length > 0 ? Prisma.sql`OR ${bill}` : Prisma.empty;
  // OFFSET keeps the planner, which assumes that every term is rare, from looking up all of their movements first.
  const either = Prisma.sql`(EXISTS (SELECT FROM customers c ${who} OFFSET 0) ${sale})`;
  return { ...plain, conditions: [...conditions, either], broad: true, recent };
}

/** The matching rows of movements, newest or oldest first: `limit` of them after the movement `cursor`. */
export function matchingPage(
  { conditions, days, named }: Matching,
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
  if (days !== null) return pageOfDays(days, [...conditions, ...after], { limit, cursor, oldestFirst });
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

/** The rows of a page, day by day: days that hold nothing are not read, and none after the page is full. */
function pageOfDays(
  { first, holds }: Days,
  conditions: Prisma.Sql[],
  { limit, cursor, oldestFirst }: { limit: number; cursor?: string; oldestFirst: boolean },
): Prisma.Sql {
  const at = cursor
    ? Prisma.sql`(SELECT qatar_day(created_at) FROM movements WHERE id = ${cursor}::uuid)`
    : null;
  const [from, to] = oldestFirst
    ? [at ?? first, Prisma.sql`qatar_day(now()) + 1`]
    : [first, at ?? Prisma.sql`qatar_day(now()) + 1`];
  const byDay = oldestFirst ? Prisma.sql`d.day` : Prisma.sql`d.day DESC`;
  const ofDay = and([
    ...conditions,
    Prisma.sql`m.created_at >= d.day::timestamp AT TIME ZONE 'Asia/Qatar'`,
    Prisma.sql`m.created_at < (d.day + 1)::timestamp AT TIME ZONE 'Asia/Qatar'`,
  ]);
  return Prisma.sql`SELECT m.* FROM (
      SELECT d.day FROM (SELECT ${from} + n AS day FROM generate_series(0, ${to} - ${from}) n) d
      WHERE ${holds} ORDER BY ${byDay}
    ) d CROSS JOIN LATERAL (
      SELECT m.* FROM movements m ${ofDay} ORDER BY ${byTime(oldestFirst)} LIMIT ${rowCount(limit)}
    ) m ORDER BY ${byDay}, ${byTime(oldestFirst)} LIMIT ${rowCount(limit)}`;
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

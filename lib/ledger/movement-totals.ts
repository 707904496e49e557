import type { Db } from "@/lib/db/client";
import type { Context, ReachContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/query";
import { summedUntil, unsummed } from "@/lib/db/sums";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { cashValue } from "@/lib/domain/money";
import { qatarDay } from "@/lib/domain/time";
import { operation } from "@/lib/operations/operation";
import { type MovementFilter, type MovementsQuery, movementFilterSchema } from "./model/movement-queries";
import type { CutDays, LoggedMovement, MovementTotals, Page } from "./model/movements";
import {
  assertFilterAllowed,
  type Matching,
  matching,
  matchingAll,
  tenderInText,
  typeInText,
} from "./movement-filter";

type Sum = { type: string; movements: bigint; points: bigint; dirhams: bigint };
/** `undone`: the reversals of this kind, and the amount that they took from it, signed as in the ledger. */
type Row = Sum & { undone: bigint; undonePoints: bigint; undoneDirhams: bigint };

// The most customers or movements of a search that are added up; more would take too long.
const SUMMED_AT_MOST = 10_000;

/** Sums over all that the filter matches. Null when a search matches too many customers or movements to add up. */
export const movementTotals = operation({
  permission: "movements.read",
  input: movementFilterSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, filter): Promise<MovementTotals | null> => {
    const { reach } = ctx;
    assertFilterAllowed(reach, filter);
    const { search, customerId, keyId, type, tender, actorRole, staffCards } = filter;
    // A reversal has no tender, so the log shows none for this filter.
    if (type === "REVERSAL" && tender) return totalsOf(type, []);
    // Filters that the daily sums cannot answer.
    const narrow = search || customerId || keyId || staffCards;
    // The actor with an own scope, and the filter's worker. If they differ, no rows match.
    const staff = [reach.scope === "own" ? reach.userId : null, filter.workerId].flatMap((id) => id ?? []);
    const byStaff = staff.length > 0 || Boolean(tender || actorRole);
    const fromMovements = narrow || (type === "REVERSAL" && !byStaff);
    const rows = fromMovements
      ? await sumsOfMovements(ctx, filter)
      : await sumsOfDays(ctx, filter, byStaff ? staff : null);
    return rows && totalsOf(type, rows);
  },
});

/** The sums of top-ups and redemptions in rows that name a kind once or several times. */
function movedOf(rows: readonly Sum[]): NonNullable<MovementTotals["gross"]> {
  const of = (kind: string, unit: "points" | "dirhams") =>
    rows.reduce((sum, row) => (row.type === kind ? sum + row[unit] : sum), 0n);
  return {
    toppedUp: Number(of("TOP_UP", "points")),
    redeemed: 0 - Number(of("REDEEM", "points")),
    value: {
      toppedUp: cashValue(of("TOP_UP", "dirhams"), 1),
      redeemed: cashValue(-of("REDEEM", "dirhams"), 1),
    },
  };
}

/** The totals of rows in which a reversal counts with what it reverses. */
function sumOf(rows: readonly Sum[]): Omit<MovementTotals, "gross"> {
  const { value, ...moved } = movedOf(rows);
  const dirhams = rows.reduce((sum, row) => sum + row.dirhams, 0n);
  return {
    count: rows.reduce((sum, row) => sum + Number(row.movements), 0),
    ...moved,
    net: rows.reduce((sum, row) => sum + Number(row.points), 0),
    value: { ...value, net: cashValue(dirhams, 1) },
  };
}

/** A filter on reversals counts them; any other filter counts what they reverse. */
function totalsOf(type: MovementFilter["type"], rows: readonly Row[]): MovementTotals {
  const undone = rows.map((row) => ({
    type: row.type,
    movements: row.undone,
    points: row.undonePoints,
    dirhams: row.undoneDirhams,
  }));
  if (type === "REVERSAL") return { ...sumOf(undone), gross: null };
  const taken = undone.map((one) => ({ ...one, points: -one.points, dirhams: -one.dirhams }));
  return { ...sumOf(rows), gross: movedOf([...rows, ...taken]) };
}

const each = (match: Matching): Prisma.Sql => Prisma.sql`
  SELECT kind, counted AS movements, points, dirhams, 1 - counted AS undone, points * (1 - counted) AS undone_points,
    dirhams * (1 - counted) AS undone_dirhams
  FROM (
    SELECT ${MOVEMENT_KIND} AS kind, ${MOVEMENT_COUNT}::bigint AS counted, points::bigint AS points,
      points::bigint * rate AS dirhams
    FROM ${matchingAll(match)}
  ) matching`;

const summed = (db: Db, parts: Prisma.Sql, where = Prisma.empty): Promise<Row[]> => db.$queryRaw<Row[]>`
    SELECT kind::text AS type, sum(movements)::bigint AS movements, sum(points)::bigint AS points,
      sum(dirhams)::bigint AS dirhams, sum(undone)::bigint AS undone, sum(undone_points)::bigint AS "undonePoints",
      sum(undone_dirhams)::bigint AS "undoneDirhams"
    FROM (${parts}) parts ${where} GROUP BY 1`;

async function sumsOfMovements(ctx: ReachContext<StaffActor>, filter: MovementFilter): Promise<Row[] | null> {
  const match = await matching(ctx, filter, true);
  if (match.broad || (filter.search && (match.named?.movements ?? 0) > SUMMED_AT_MOST)) return null;
  return await summed(ctx.db, each(match));
}

function daysWhere(reach: Reach, filter: MovementFilter): Prisma.Sql {
  const { from, to } = filter;
  const conditions = [Prisma.sql`true`];
  if (from) conditions.push(Prisma.sql`day >= ${from}::date`);
  if (to) conditions.push(Prisma.sql`day <= ${to}::date`);
  if (reach.scope === "merchant") conditions.push(Prisma.sql`merchant_id = ${reach.merchantId}::uuid`);
  if (filter.merchantId) conditions.push(Prisma.sql`merchant_id = ${filter.merchantId}::uuid`);
  if (filter.branchId) conditions.push(Prisma.sql`branch_id = ${filter.branchId}::uuid`);
  return Prisma.join(conditions, " AND ");
}

/**
 * The sums of days, and from the movements what is in none yet; `staff`: of these members, or of a role or a tender. Only
 * the sums of staff know what was undone: without them the reversals are read, by the index of rare types.
 */
async function sumsOfDays(
  ctx: ReachContext<StaffActor>,
  filter: MovementFilter,
  staff: string[] | null,
): Promise<Row[]> {
  const until = await summedUntil(ctx.db);
  const match = await matching(ctx, { ...filter, type: undefined }, true);
  const fresh = each({ ...match, conditions: [unsummed(until, match.conditions)] });
  const days = daysWhere(ctx.reach, filter);
  const { type, tender, actorRole } = filter;
  const wanted = type && type !== "REVERSAL" ? Prisma.sql`WHERE kind = ${typeInText(type)}` : Prisma.empty;
  if (staff === null) {
    const reversals = { ...match, conditions: [...match.conditions, Prisma.sql`m.type = 'REVERSAL'`] };
    const parts = Prisma.sql`
      SELECT type AS kind, movements::bigint, points, dirhams, 0 AS undone, 0 AS undone_points, 0 AS undone_dirhams
      FROM daily_sums WHERE ${days}
      UNION ALL SELECT kind, movements, points, dirhams, 0, 0, 0 FROM (${fresh}) fresh
      UNION ALL SELECT kind, 0, 0, 0, undone, undone_points, undone_dirhams FROM (${each(reversals)}) reversals`;
    return await summed(ctx.db, parts, wanted);
  }
  const whose = staff.map((id) => Prisma.sql`actor_id = ${id}::uuid`);
  if (actorRole) whose.push(Prisma.sql`actor_id IN (SELECT id FROM users WHERE role = ${actorRole}::"Role")`);
  if (tender) whose.push(Prisma.sql`tender = ${tenderInText(tender)}`);
  const parts = Prisma.sql`
      SELECT type AS kind, movements::bigint, points, dirhams, undone::bigint, undone_points, undone_dirhams
      FROM staff_sums WHERE ${Prisma.join([...whose, days], " AND ")}
      UNION ALL ${fresh}`;
  return await summed(ctx.db, parts, wanted);
}

/** The net of days that a page shows in part. Null by kind (such lists have no reversals) and if `blind`. */
export async function cutDaysOf(
  ctx: Context,
  query: MovementsQuery,
  page: Page<LoggedMovement>,
  { blind }: { blind: boolean },
): Promise<CutDays> {
  if (blind) return Object.fromEntries(page.results.map(({ createdAt }) => [qatarDay(createdAt), null]));
  const { cursor, limit: _, sort: __, ...filter } = query;
  const ends = [
    ...(cursor ? page.results.slice(0, 1) : []),
    ...(page.nextCursor ? page.results.slice(-1) : []),
  ];
  const days = [...new Set(ends.map(({ createdAt }) => qatarDay(createdAt)))];
  const sums = days.map(async (day) => {
    if (filter.type || filter.tender) return [day, null] as const;
    const totals = await movementTotals(ctx, { ...filter, from: day, to: day });
    return [day, totals?.value.net ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

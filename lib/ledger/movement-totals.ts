import type { ReachContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { MOVEMENT_COUNT, MOVEMENT_KIND } from "@/lib/db/query";
import { summedUntil, unsummed } from "@/lib/db/sums";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { cashValue } from "@/lib/domain/money";
import { operation } from "@/lib/operations/operation";
import { type MovementFilter, movementFilterSchema } from "./model/movement-queries";
import type { MovementTotals } from "./model/movements";
import {
  assertFilterAllowed,
  type Kinds,
  matching,
  matchingAll,
  tenderInText,
  typeInText,
} from "./movement-filter";

type Row = { type: string; movements: bigint; points: bigint; dirhams: bigint };
/** The amount that reversals took from a kind of movement, signed as in the ledger. */
type Undone = { type: string | null; points: bigint; dirhams: bigint };

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
    if (type === "REVERSAL" && tender) return { ...sumOf([]), gross: null };
    // Filters that the daily sums cannot answer.
    const narrow = search || customerId || keyId || staffCards;
    // The actor with an own scope, and the filter's worker. If they differ, no rows match.
    const staff = [reach.scope === "own" ? reach.userId : null, filter.workerId].flatMap((id) => id ?? []);
    if (!narrow && (staff.length > 0 || tender || actorRole))
      return totalsOf(type, await fromStaff(ctx, filter, staff));
    const daily = type !== "REVERSAL" && !narrow;
    const [rows, undone] = await Promise.all([
      daily ? fromDays(ctx, filter) : fromMovements(ctx, filter),
      type === "REVERSAL" ? null : undoneOf(ctx, filter),
    ]);
    return rows && { ...sumOf(rows), gross: undone && grossOf(rows, undone) };
  },
});

/** The sums of top-ups and redemptions in rows that name a kind once or several times. */
function movedOf(rows: readonly Undone[]): NonNullable<MovementTotals["gross"]> {
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
function sumOf(rows: readonly Row[]): Omit<MovementTotals, "gross"> {
  const { value, ...moved } = movedOf(rows);
  const dirhams = rows.reduce((sum, row) => sum + row.dirhams, 0n);
  return {
    count: rows.reduce((sum, row) => sum + Number(row.movements), 0),
    ...moved,
    net: rows.reduce((sum, row) => sum + Number(row.points), 0),
    value: { ...value, net: cashValue(dirhams, 1) },
  };
}

/** The sums of top-ups and redemptions before reversals. */
const grossOf = (rows: readonly Row[], undone: readonly Undone[]) =>
  movedOf([
    ...rows,
    ...undone.map(({ type, points, dirhams }) => ({ type, points: -points, dirhams: -dirhams })),
  ]);

/** The reversals that match the filter, by the kind they reverse; it uses the index of rare types. */
async function undoneOf(ctx: ReachContext<StaffActor>, filter: MovementFilter): Promise<Undone[] | null> {
  const match = await matching(ctx, { ...filter, type: undefined }, AS_SUMMED);
  if (match.broad) return null;
  match.conditions.push(Prisma.sql`m.type = 'REVERSAL'`);
  if (filter.type) match.conditions.push(Prisma.sql`m.reverses_type = ${filter.type}::"MovementType"`);
  return await ctx.db.$queryRaw<Undone[]>`
    SELECT reverses_type::text AS type, sum(points)::bigint AS points, sum(points::bigint * rate)::bigint AS dirhams
    FROM ${matchingAll(match)} GROUP BY 1`;
}

/** A reversal counts with what it reverses. */
const AS_SUMMED: Kinds = {
  type: (type) =>
    type === "REVERSAL"
      ? Prisma.sql`m.type = 'REVERSAL'`
      : Prisma.sql`(m.type = ${typeInText(type)} OR m.type = 'REVERSAL')
        AND ${MOVEMENT_KIND} = ${typeInText(type)}`,
  tender: (
    tender,
  ) => Prisma.sql`(m.tender = ${tenderInText(tender)} OR m.reverses_type = 'TOP_UP' AND EXISTS (
    SELECT FROM movements t WHERE t.id = m.reverses_id AND t.tender = ${tenderInText(tender)}))`,
};

async function fromMovements(ctx: ReachContext<StaffActor>, filter: MovementFilter): Promise<Row[] | null> {
  const match = await matching(ctx, filter, AS_SUMMED);
  if (match.broad || (filter.search && (match.named?.movements ?? 0) > SUMMED_AT_MOST)) return null;
  // A filter on reversals counts them; any other filter counts what they reverse.
  const count = filter.type === "REVERSAL" ? Prisma.sql`1` : MOVEMENT_COUNT;
  return await ctx.db.$queryRaw<Row[]>`
    SELECT ${MOVEMENT_KIND}::text AS type, sum(${count})::bigint AS movements, sum(points)::bigint AS points,
      sum(points::bigint * rate)::bigint AS dirhams
    FROM ${matchingAll(match)} GROUP BY 1`;
}

/** The filters that the daily sums can answer. */
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

/** The daily sums, and from the movements what is in no sum yet. */
async function fromDays(ctx: ReachContext<StaffActor>, filter: MovementFilter): Promise<Row[]> {
  const summed = await summedUntil(ctx.db);
  const match = await matching(ctx, filter, AS_SUMMED);
  const type = filter.type ? Prisma.sql`AND type = ${filter.type}::"MovementType"` : Prisma.empty;
  return await ctx.db.$queryRaw<Row[]>`
    SELECT kind::text AS type, sum(movements)::bigint AS movements, sum(points)::bigint AS points,
      sum(dirhams)::bigint AS dirhams FROM (
      SELECT type AS kind, movements::bigint, points, dirhams FROM daily_sums WHERE ${daysWhere(ctx.reach, filter)} ${type}
      UNION ALL
      SELECT ${MOVEMENT_KIND}, ${MOVEMENT_COUNT}::bigint, points::bigint, points::bigint * rate
      FROM ${matchingAll({ ...match, conditions: [unsummed(summed, match.conditions)] })}
    ) both_parts GROUP BY 1`;
}

type StaffRow = Row & { undone: bigint; undonePoints: bigint; undoneDirhams: bigint };

/** Same as fromDays, for members of staff, their role or a tender. Counts the reversals separately. */
async function fromStaff(
  ctx: ReachContext<StaffActor>,
  filter: MovementFilter,
  staff: string[],
): Promise<StaffRow[]> {
  const summed = await summedUntil(ctx.db);
  const match = await matching(ctx, { ...filter, type: undefined }, AS_SUMMED);
  const whose = staff.map((id) => Prisma.sql`actor_id = ${id}::uuid`);
  if (filter.actorRole)
    whose.push(Prisma.sql`actor_id IN (SELECT id FROM users WHERE role = ${filter.actorRole}::"Role")`);
  if (filter.tender) whose.push(Prisma.sql`tender = ${tenderInText(filter.tender)}`);
  const wanted = filter.type && filter.type !== "REVERSAL" ? filter.type : null;
  return await ctx.db.$queryRaw<StaffRow[]>`
    SELECT kind::text AS type, sum(movements)::bigint AS movements, sum(points)::bigint AS points,
      sum(dirhams)::bigint AS dirhams, sum(undone)::bigint AS undone, sum(undone_points)::bigint AS "undonePoints",
      sum(undone_dirhams)::bigint AS "undoneDirhams"
    FROM (
      SELECT type AS kind, movements::bigint, points, dirhams, undone::bigint, undone_points, undone_dirhams
      FROM staff_sums WHERE ${Prisma.join([...whose, daysWhere(ctx.reach, filter)], " AND ")}
      UNION ALL
      SELECT kind, counted, points, dirhams, 1 - counted, points * (1 - counted), dirhams * (1 - counted) FROM (
        SELECT ${MOVEMENT_KIND} AS kind, ${MOVEMENT_COUNT}::bigint AS counted, points::bigint AS points,
          points::bigint * rate AS dirhams
        FROM ${matchingAll({ ...match, conditions: [unsummed(summed, match.conditions)] })}
      ) fresh
    ) both_parts WHERE ${wanted}::"MovementType" IS NULL OR kind = ${wanted}::"MovementType" GROUP BY 1`;
}

/** A filter on reversals counts them; any other filter counts what they reverse. */
function totalsOf(type: MovementFilter["type"], rows: StaffRow[]): MovementTotals {
  const undone = rows.map((row) => ({
    type: row.type,
    movements: row.undone,
    points: row.undonePoints,
    dirhams: row.undoneDirhams,
  }));
  if (type === "REVERSAL") return { ...sumOf(undone), gross: null };
  return { ...sumOf(rows), gross: grossOf(rows, undone) };
}

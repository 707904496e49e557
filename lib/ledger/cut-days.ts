import type { Context } from "@/lib/db/context";
import { qatarDay } from "@/lib/domain/time";
import type { MovementsQuery } from "./model/movement-queries";
import type { CutDays, LoggedMovement, Page } from "./model/movements";
import { movementTotals } from "./movement-totals";

/**
 * The net of the first and the last day of a page, where it shows them only in part. Null with a filter by kind, whose list
 * has no reversals, and null for every day where the reader is `blind`, with a drawer to count.
 */
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

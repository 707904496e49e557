import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { isId } from "@/lib/domain/ids";
import type { LoggedMovement, Page } from "@/lib/domain/points";
import { type MovementFilter, type MovementsQuery, movementsSchema } from "@/lib/domain/schemas/money";
import { matching, matchingPage } from "./movement-filter";
import { movementRows } from "./movement-rows";

const EXPORT_ROWS = 1000;

/** The actor's movements by filter, newest first unless sorted, by cursor (a movement's id; one that is none starts at the top). */
export async function listMovements(ctx: Context, query: MovementsQuery): Promise<Page<LoggedMovement>> {
  const reach = authorize(ctx.actor, "movements.read");
  const { cursor, limit, sort, ...filter } = movementsSchema.parse(query);
  const match = await matching(ctx.db, reach, filter);
  const oldestFirst = sort === "time";
  const page = matchingPage(match, limit + 1, { cursor: isId(cursor) ? cursor : undefined, oldestFirst });
  const rows = await movementRows(ctx.db, page, ctx.actor.userId, oldestFirst);
  const results = rows.slice(0, limit);
  return { results, nextCursor: rows.length > limit ? (results.at(-1)?.id ?? null) : null };
}
listMovements.permission = "movements.read" as const;

/** Every movement of the filter, a thousand at a time, for an export: no more than one part is held in memory. */
export async function* eachMovement(ctx: Context, filter: MovementFilter): AsyncGenerator<LoggedMovement[]> {
  const reach = authorize(ctx.actor, "movements.read");
  const match = await matching(ctx.db, reach, filter);
  for (let cursor: string | undefined; ; ) {
    const rows = await movementRows(ctx.db, matchingPage(match, EXPORT_ROWS, { cursor }), ctx.actor.userId);
    if (rows.length > 0) yield rows;
    if (rows.length < EXPORT_ROWS) return;
    cursor = rows.at(-1)?.id;
  }
}
eachMovement.permission = "movements.read" as const;

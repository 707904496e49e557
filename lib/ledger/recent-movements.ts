import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { LoggedMovement } from "@/lib/domain/points";
import { type RecentQuery, recentSchema } from "@/lib/domain/schemas/money";
import { matching, matchingPage } from "./movement-filter";
import { movementRows } from "./movement-rows";

/** The latest top-ups or redeems within the actor's reach, newest first (10 unless told, 20 at most). */
export async function recentMovements(ctx: Context, query: RecentQuery): Promise<LoggedMovement[]> {
  const reach = authorize(ctx.actor, "movements.read");
  const { type, limit } = recentSchema.parse(query);
  const match = await matching(ctx.db, reach, { type });
  return await movementRows(ctx.db, matchingPage(match, limit), ctx.actor.userId);
}
recentMovements.permission = "movements.read" as const;

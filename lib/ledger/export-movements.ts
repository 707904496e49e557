import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { LoggedMovement } from "@/lib/domain/points";
import type { MovementFilter } from "@/lib/domain/schemas/money";
import { eachMovement } from "./list-movements";

/** Every movement of the filter within the actor's reach, newest first, in parts that are read as they are asked for. */
export async function exportMovements(
  ctx: Context,
  filter: MovementFilter,
): Promise<AsyncGenerator<LoggedMovement[]>> {
  authorize(ctx.actor, "movements.read");
  return eachMovement(ctx, filter);
}
exportMovements.permission = "movements.read" as const;

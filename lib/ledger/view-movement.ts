import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { LoggedMovement } from "@/lib/domain/points";
import { withinReach } from "./movement-filter";
import { movementRows } from "./movement-rows";

/** One movement within the actor's reach, with what it reverses or what reversed it. Throws movement_not_found. */
export async function viewMovement(ctx: Context, input: { movementId: string }): Promise<LoggedMovement> {
  const reach = authorize(ctx.actor, "movements.read");
  if (!isId(input.movementId)) throw new DomainError("movement_not_found");
  const one = [Prisma.sql`m.id = ${input.movementId}::uuid`, ...withinReach(reach)];
  const page = Prisma.sql`SELECT m.* FROM movements m WHERE ${Prisma.join(one, " AND ")}`;
  const [movement] = await movementRows(ctx.db, page, ctx.actor.userId);
  if (!movement) throw new DomainError("movement_not_found");
  return movement;
}
viewMovement.permission = "movements.read" as const;

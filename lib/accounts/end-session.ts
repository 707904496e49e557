import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";

/** Ends one of the own sessions at once. One that has ended already is no error. Throws not_found. */
export async function endSession(ctx: Context, input: { handle: string }): Promise<{ ended: true }> {
  authorize(ctx.actor, "account.own");
  const where = { handle: input.handle, userId: ctx.actor.userId };
  const { count } = await ctx.db.session.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: ctx.clock() },
  });
  if (count === 0 && (await ctx.db.session.count({ where })) === 0) throw new DomainError("not_found");
  return { ended: true };
}
endSession.permission = "account.own" as const;

/** Ends all own sessions but the one that asks. Answers how many ended. */
export async function endOtherSessions(
  ctx: Context,
  _input: Record<never, never>,
): Promise<{ ended: number }> {
  authorize(ctx.actor, "account.own");
  const { count } = await ctx.db.session.updateMany({
    where: { userId: ctx.actor.userId, revokedAt: null, id: { not: ctx.actor.sessionId } },
    data: { revokedAt: ctx.clock() },
  });
  return { ended: count };
}
endOtherSessions.permission = "account.own" as const;

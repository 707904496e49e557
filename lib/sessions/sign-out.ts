import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";

/** Ends the session that asks. */
export async function signOut(ctx: Context, _input: Record<never, never>): Promise<{ ended: true }> {
  authorize(ctx.actor, "account.own");
  await ctx.db.session.updateMany({
    where: { id: ctx.actor.sessionId, revokedAt: null },
    data: { revokedAt: ctx.clock() },
  });
  return { ended: true };
}
signOut.permission = "account.own" as const;

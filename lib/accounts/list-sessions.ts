import type { Context } from "@/lib/db/context";
import type { OwnSession } from "@/lib/domain/account";
import { authorize } from "@/lib/domain/actor";

// Older ones are rare and end by themselves within 12 hours.
const SHOWN = 50;

/** The own live sessions, the one that asks first, then by when they were last seen; at most 50. */
export async function listSessions(ctx: Context, _input: Record<never, never>): Promise<OwnSession[]> {
  authorize(ctx.actor, "account.own");
  const rows = await ctx.db.session.findMany({
    where: { userId: ctx.actor.userId, revokedAt: null, expiresAt: { gt: ctx.clock() } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: SHOWN,
    select: { id: true, handle: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
  });
  return rows
    .map(({ id, ...row }) => ({ ...row, current: id === ctx.actor.sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}
listSessions.permission = "account.own" as const;

import { auditUser } from "@/lib/audit/audit";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { endSessionSchema, type OwnSession } from "./model/account";
import { endSessions } from "./session";

function end(ctx: Context, which: Parameters<typeof endSessions>[1]): Promise<number> {
  return ctx.db.$transaction(async (tx) => {
    const count = await endSessions(tx, which, ctx.clock());
    if (count > 0) {
      const { userId: id, merchantId } = ctx.actor;
      await auditUser(tx, ctx, { id, merchantId }, { action: "session.ended", after: { sessions: count } });
    }
    return count;
  });
}

/** Ends one of the user's sessions. An ended session is not an error. Throws not_found. */
export const endOwnSession = operation({
  permission: "account.own",
  input: endSessionSchema,
  run: async (ctx, input): Promise<{ ended: true }> => {
    const where = { handle: input.handle, userId: ctx.actor.userId };
    const count = await end(ctx, where);
    if (count === 0 && (await ctx.db.session.count({ where })) === 0) throw new DomainError("not_found");
    return { ended: true };
  },
});

/** Ends all the user's sessions except the current one. Answers the number of ended sessions. */
export const endOtherSessions = operation({
  permission: "account.own",
  input: nothingSchema,
  run: async (ctx): Promise<{ ended: number }> => ({
    ended: await end(ctx, { userId: ctx.actor.userId, id: { not: ctx.actor.sessionId } }),
  }),
});

// More are rare, and unused sessions end within 12 hours.
const MAX_LISTED = 50;

/** The user's live sessions: the current one first, then the most recently seen; at most 50. */
export const listSessions = operation({
  permission: "account.own",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<OwnSession[]> => {
    const rows = await ctx.db.session.findMany({
      where: { userId: ctx.actor.userId, revokedAt: null, expiresAt: { gt: ctx.clock() } },
      orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
      take: MAX_LISTED,
      select: { id: true, handle: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
    });
    return rows
      .map(({ id, ...row }) => ({ ...row, current: id === ctx.actor.sessionId }))
      .sort((a, b) => Number(b.current) - Number(a.current));
  },
});

/** Ends the current session. */
export const signOut = operation({
  permission: "session.end",
  input: nothingSchema,
  run: async (ctx): Promise<{ ended: true }> => {
    await end(ctx, { id: ctx.actor.sessionId });
    return { ended: true };
  },
});

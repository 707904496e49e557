import type { Context } from "@/lib/db/context";
import { consume, forgive, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { ChangePassword } from "@/lib/domain/schemas/account";
import { hashPassword, passwordMatches } from "./password";
import { endSessions } from "./session";

const TRIES: GuardLimit = { name: "change-password", points: 5, seconds: 15 * 60 };

/** Changes the own password; all other sessions end. Throws wrong_password, weak_password, rate_limited. */
export async function changePassword(ctx: Context, input: ChangePassword): Promise<{ ended: number }> {
  authorize(ctx.actor, "account.own");
  await consume(ctx.db, TRIES, ctx.actor.userId);
  const user = await ctx.db.user.findUniqueOrThrow({
    where: { id: ctx.actor.userId },
    select: { passwordHash: true },
  });
  if (!(await passwordMatches(user.passwordHash, input.oldPassword))) {
    throw new DomainError("wrong_password", {}, [{ path: "oldPassword", message: "errors.wrong_password" }]);
  }
  const passwordHash = await hashPassword(input.newPassword, "newPassword");
  const ended = await ctx.db.$transaction(async (tx) => {
    // The old hash in the where: of two changes at once only the first one still knew the password.
    const { count } = await tx.user.updateMany({
      where: { id: ctx.actor.userId, passwordHash: user.passwordHash },
      data: { passwordHash },
    });
    if (count === 0) throw new DomainError("conflict");
    return endSessions(tx, ctx.actor.userId, ctx.actor.sessionId, ctx.clock());
  });
  await forgive(ctx.db, TRIES, ctx.actor.userId);
  return { ended };
}
changePassword.permission = "account.own" as const;

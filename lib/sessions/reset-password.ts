import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import type { ResetPassword } from "@/lib/domain/schemas/account";
import { hashPassword } from "./password";
import { hashSecret } from "./secrets";
import { endSessions } from "./session";

const PER_ADDRESS: GuardLimit = { name: "reset-try-address", points: 50, seconds: 60 * 60 };

/**
 * Sets a new password by a mailed link, once; every session of the user ends. An invited worker becomes active.
 * Throws link_invalid, weak_password, rate_limited.
 */
export async function resetPassword(ctx: PublicContext, input: ResetPassword): Promise<{ reset: true }> {
  await consume(ctx.db, PER_ADDRESS, ctx.address);
  const passwordHash = await hashPassword(input.password);
  await ctx.db.$transaction(async (tx) => {
    const now = ctx.clock();
    const [token] = await tx.passwordToken.updateManyAndReturn({
      where: { tokenHash: hashSecret(input.token), usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
      select: { userId: true },
    });
    if (!token) throw new DomainError("link_invalid");
    const { count } = await tx.user.updateMany({
      where: { id: token.userId, status: { in: ["active", "invited"] } },
      data: { passwordHash, status: "active" },
    });
    if (count === 0) throw new DomainError("link_invalid");
    // The other links of this user were asked for before this one was used.
    await tx.passwordToken.updateMany({
      where: { userId: token.userId, usedAt: null },
      data: { usedAt: now },
    });
    await endSessions(tx, token.userId, null, now);
  });
  return { reset: true };
}
resetPassword.permission = "public" as const;

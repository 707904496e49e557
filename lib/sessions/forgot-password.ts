import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { isLocale } from "@/lib/domain/roles";
import type { ForgotPassword } from "@/lib/domain/schemas/account";
import { queueEmail } from "@/lib/email";
import { env } from "@/lib/env";
import { hashSecret, newSecret } from "./secrets";

const PER_EMAIL: GuardLimit = { name: "reset-email", points: 5, seconds: 60 * 60 };
const PER_ADDRESS: GuardLimit = { name: "reset-address", points: 50, seconds: 60 * 60 };
const LINK_MINUTES = 30;

/**
 * Mails a single-use reset link, good for 30 minutes, when the account exists. Answers the same either way.
 * Throws rate_limited.
 */
export async function forgotPassword(ctx: PublicContext, input: ForgotPassword): Promise<{ sent: true }> {
  await consume(ctx.db, PER_ADDRESS, ctx.address);
  await consume(ctx.db, PER_EMAIL, input.email);
  await ctx.db.$transaction(async (tx) => {
    const user = await tx.user.findFirst({
      where: { email: input.email, status: { in: ["active", "invited"] } },
      select: { id: true, firstName: true, locale: true },
    });
    if (!user) return;
    const secret = newSecret();
    await tx.passwordToken.create({
      data: {
        userId: user.id,
        tokenHash: hashSecret(secret),
        expiresAt: new Date(ctx.clock().getTime() + LINK_MINUTES * 60_000),
      },
    });
    await queueEmail(tx, {
      to: input.email,
      template: "password_reset",
      locale: isLocale(user.locale) ? user.locale : ctx.locale,
      params: {
        name: user.firstName,
        url: `${env().APP_URL}/reset-password/${secret}`,
        minutes: LINK_MINUTES,
      },
    });
  });
  return { sent: true };
}
forgotPassword.permission = "public" as const;

import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email";
import { env } from "@/lib/env";
import { hashSecret, newSecret } from "@/lib/sessions/secrets";

const LINK_DAYS = 7;

/** Mails a worker the link that sets their password, good for 7 days; an older link stops working. */
export async function invite(tx: Tx, ctx: Context, workerId: string): Promise<void> {
  const now = ctx.clock();
  const worker = await tx.user.findUniqueOrThrow({
    where: { id: workerId },
    select: { email: true, firstName: true, locale: true, merchant: { select: { businessName: true } } },
  });
  await tx.passwordToken.updateMany({ where: { userId: workerId, usedAt: null }, data: { usedAt: now } });
  const secret = newSecret();
  await tx.passwordToken.create({
    data: {
      userId: workerId,
      tokenHash: hashSecret(secret),
      expiresAt: new Date(now.getTime() + LINK_DAYS * 86_400_000),
    },
    select: { id: true },
  });
  await queueEmail(tx, {
    to: worker.email,
    template: "worker_invite",
    // Until the worker chooses a language, they get the one of whoever invites them.
    locale: isLocale(worker.locale) ? worker.locale : ctx.locale,
    params: {
      name: worker.firstName,
      merchant: worker.merchant?.businessName ?? "",
      url: `${env().APP_URL}/reset-password/${secret}`,
      days: LINK_DAYS,
    },
  });
}

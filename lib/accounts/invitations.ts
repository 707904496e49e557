import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { MERCHANT_NAMES, merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { endSessions } from "./session";

const LINK_DAYS = 7;

/** Stops the links that were mailed to a user to set a password. */
export async function voidPasswordLinks(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.passwordToken.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
}

/** Ends the sessions of a user, and the links that were mailed to them. Answers how many sessions it ended. */
export async function endAccess(tx: Tx, userId: string, now: Date): Promise<number> {
  await voidPasswordLinks(tx, userId, now);
  return endSessions(tx, { userId }, now);
}

/** E-mails a new employee or administrator a link that sets their password, valid for 7 days. Older links stop working. */
export async function sendInvitation(tx: Tx, ctx: Context, userId: string): Promise<void> {
  const now = ctx.clock();
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      email: true,
      firstName: true,
      locale: true,
      merchant: { select: { id: true, ...MERCHANT_NAMES } },
    },
  });
  await voidPasswordLinks(tx, userId, now);
  const secret = newSecret();
  const expiresAt = new Date(now.getTime() + LINK_DAYS * 86_400_000);
  await tx.passwordToken.create({ data: { userId, tokenHash: hashSecret(secret), expiresAt } });
  // Without a chosen language they get the inviting user's.
  const locale = localeOr(user.locale, ctx.locale);
  const mail = { to: user.email, shop: user.merchant?.id, locale };
  const params = { name: user.firstName, url: `${env().APP_URL}/reset-password/${secret}`, days: LINK_DAYS };
  if (user.merchant) {
    const merchant = merchantName(user.merchant, locale);
    await queueEmail(tx, { ...mail, template: "worker_invite", params: { ...params, merchant } });
  } else {
    await queueEmail(tx, { ...mail, template: "admin_invite", params });
  }
}

import { auditUser } from "@/lib/audit/audit";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { localeOr } from "@/lib/domain/roles";
import { queueEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { askedMail, leaveMailToJob } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { operation } from "@/lib/operations/operation";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { readAccount } from "./credentials";
import { forgotPasswordSchema } from "./model/account";

const LINKS_PER_EMAIL: GuardLimit = { name: "reset-email", points: 5, seconds: 60 * 60 };
const LINKS_PER_ADDRESS: GuardLimit = { name: "reset-address", points: 50, seconds: 60 * 60 };
// A device that signed in to this account before: strangers who use up the others do not shut it out.
const LINKS_PER_DEVICE: GuardLimit = { name: "reset-device", points: 5, seconds: 60 * 60 };
const LINK_MINUTES = 30;

/**
 * Has a single-use reset link mailed, valid for 30 minutes, if the account exists. Neither the answer nor what is done
 * before it depends on that. Throws rate_limited.
 */
export const forgotPassword = operation({
  permission: "public",
  input: forgotPasswordSchema,
  run: async (ctx, input): Promise<{ sent: true }> => {
    const account = await readAccount(ctx.db, input);
    const known =
      account && deviceKnownTo(ctx.device, { userId: account.id, credentials: account.credentials });
    if (known) await consume(ctx.db, LINKS_PER_DEVICE, `${input.email}|${known}`);
    else {
      await consume(ctx.db, LINKS_PER_ADDRESS, ctx.address);
      await consume(ctx.db, LINKS_PER_EMAIL, input.email);
    }
    await leaveMailToJob(ctx, "mail_reset", input.email);
    return { sent: true };
  },
});

type Asking = {
  id: string;
  firstName: string;
  locale: string | null;
  merchantId: string | null;
  proved: boolean;
};

/** Mails the reset link that somebody asked for, if the address has an account. */
export const mailReset: Task = async ({ db }, payload) => {
  const asked = askedMail(payload, LINK_MINUTES);
  if (!asked) return;
  await db.$transaction(async (tx) => {
    // The lock makes a change of the address end this link with the others, or come first and leave nobody to mail.
    const [user] = await tx.$queryRaw<Asking[]>`
      select id::text as id, first_name as "firstName", locale, merchant_id::text as "merchantId",
        email_proved_at is not null as proved
      from users where email = ${asked.email} and status in ('active', 'invited') for share`;
    if (!user) return;
    const secret = newSecret();
    const params = {
      name: user.proved ? user.firstName : null,
      url: `${env().APP_URL}/reset-password/${secret}`,
      minutes: LINK_MINUTES,
    };
    const locale = localeOr(user.locale, asked.locale);
    // A mailbox that is not proved may be a stranger's, who need not learn where the person works.
    const shop = user.proved ? user.merchantId : null;
    const mail = { id: asked.mailId, to: asked.email, shop, locale, params, expiresIn: LINK_MINUTES * 60 };
    const written = await queueEmails(tx, [{ ...mail, template: "password_reset" as const }]);
    if (written.length === 0) return;
    await tx.passwordToken.create({
      data: {
        userId: user.id,
        tokenHash: hashSecret(secret),
        expiresAt: new Date(asked.askedAt.getTime() + LINK_MINUTES * 60_000),
      },
    });
    await auditUser(tx, { ...asked, actor: null }, user, { action: "password.requested" });
  });
};

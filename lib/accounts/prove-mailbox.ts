import { auditUser } from "@/lib/audit/audit";
import { linkTokenSchema } from "@/lib/cards/model/card-holder";
import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { queueEmail, sendWaitingEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { linkedId, linkToken } from "@/lib/secrets/secrets";

/** Writes down that a user's mailbox is proved, and sends what waited for it. Answers false if it was before. */
export async function proveMailbox(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const [user] = await tx.user.updateManyAndReturn({
    where: { id: userId, emailProvedAt: null },
    data: { emailProvedAt: now },
    select: { email: true },
  });
  if (user) await sendWaitingEmails(tx, user.email);
  return user !== undefined;
}

async function linkedUser(ctx: PublicContext, token: string) {
  const row = await ctx.db.user.findUnique({
    where: { id: linkedId("mailbox", token) },
    select: { id: true, merchantId: true, emailProvedAt: true },
  });
  if (!row) throw new DomainError("link_invalid");
  return row;
}

/** Whether the mailbox of a link is proved. It changes nothing, since mail scanners open links. Throws link_invalid. */
export const mailboxOf = operation({
  permission: "public",
  input: linkTokenSchema,
  readOnly: true,
  run: async (ctx, input): Promise<{ proved: boolean }> => ({
    proved: (await linkedUser(ctx, input.token)).emailProvedAt !== null,
  }),
});

/** Proves the mailbox that a sign-up's link was mailed to. Throws link_invalid. */
export const confirmMailbox = operation({
  permission: "public",
  input: linkTokenSchema,
  run: async (ctx, input): Promise<{ proved: true }> => {
    const user = await linkedUser(ctx, input.token);
    await ctx.db.$transaction(async (tx) => {
      if (!(await proveMailbox(tx, user.id, ctx.clock()))) return;
      // The mailed link authenticates the user.
      const by = { ...ctx, actor: { type: "user", userId: user.id } } as const;
      await auditUser(tx, by, user, { action: "profile.mailbox" });
    });
    return { proved: true };
  },
});

/** The user's address, and whether they have proved it. */
export const ownMailbox = operation({
  permission: "account.own",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<{ email: string; proved: boolean }> => {
    const { email, emailProvedAt } = await ctx.db.user.findUniqueOrThrow({
      where: { id: ctx.actor.userId },
      select: { email: true, emailProvedAt: true },
    });
    return { email, proved: emailProvedAt !== null };
  },
});

// The address may be a stranger's, so there are few.
const LINKS_PER_HOUR: GuardLimit = { name: "mailbox-link", points: 3, seconds: 60 * 60 };
const LINKS_PER_DAY: GuardLimit = { name: "mailbox-link-day", points: 6, seconds: 24 * 60 * 60 };

/** Mails the link that proves the user's mailbox again, 3 an hour and 6 a day. Throws no_change, rate_limited. */
export const sendMailboxLink = operation({
  permission: "account.own",
  input: nothingSchema,
  errors: ["no_change"],
  run: async (ctx): Promise<{ sent: true }> => {
    const { userId } = ctx.actor;
    const { email, proved } = await ownMailbox(ctx, {});
    if (proved) throw new DomainError("no_change");
    for (const limit of [LINKS_PER_HOUR, LINKS_PER_DAY]) await consume(ctx.db, limit, userId);
    const url = `${env().APP_URL}/confirm-email/${linkToken("mailbox", userId)}`;
    await queueEmail(ctx.db, { to: email, template: "confirm_mailbox", locale: ctx.locale, params: { url } });
    return { sent: true };
  },
});

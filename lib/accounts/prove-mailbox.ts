import type { Tx } from "@/lib/db/client";
import type { Context, PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize } from "@/lib/domain/actor";
import { linkTokenSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { isId } from "@/lib/domain/is-id";
import { queueEmail, sendWaitingEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { linkedId, linkToken } from "@/lib/secrets/mailed-link";

/** Writes down that a user opened a link mailed to them, and sends the e-mails that waited for it. */
export async function proveMailbox(tx: Tx, userId: string, now: Date): Promise<void> {
  const [user] = await tx.user.updateManyAndReturn({
    where: { id: userId, emailProvedAt: null },
    data: { emailProvedAt: now },
    select: { email: true },
  });
  if (user) await sendWaitingEmails(tx, user.email);
}

async function linkedUser(ctx: PublicContext, token: string): Promise<{ id: string; proved: boolean }> {
  const id = linkedId("mailbox", token);
  const row = isId(id)
    ? await ctx.db.user.findUnique({ where: { id }, select: { id: true, emailProvedAt: true } })
    : null;
  if (!row) throw new DomainError("link_invalid");
  return { id: row.id, proved: row.emailProvedAt !== null };
}

/** Whether the mailbox of a link is proved. It changes nothing, since mail scanners open links. Throws link_invalid. */
export async function mailboxOf(ctx: PublicContext, input: { token: string }): Promise<{ proved: boolean }> {
  return { proved: (await linkedUser(ctx, input.token)).proved };
}
mailboxOf.permission = "public" as const;
mailboxOf.input = linkTokenSchema;

/** Proves the mailbox that a sign-up's link was mailed to. Throws link_invalid. */
export async function confirmMailbox(
  ctx: PublicContext,
  input: { token: string },
): Promise<{ proved: true }> {
  const { id } = await linkedUser(ctx, input.token);
  await ctx.db.$transaction((tx) => proveMailbox(tx, id, ctx.clock()));
  return { proved: true };
}
confirmMailbox.permission = "public" as const;
confirmMailbox.input = linkTokenSchema;

/** The user's address, and whether they have proved it. */
export async function ownMailbox(
  ctx: Context,
  _input: Record<never, never>,
): Promise<{ email: string; proved: boolean }> {
  authorize(ctx.actor, "account.own");
  const { email, emailProvedAt } = await ctx.db.user.findUniqueOrThrow({
    where: { id: ctx.actor.userId },
    select: { email: true, emailProvedAt: true },
  });
  return { email, proved: emailProvedAt !== null };
}
ownMailbox.permission = "account.own" as const;
ownMailbox.input = nothingSchema;

// The address may be a stranger's, so there are few.
const LINKS_PER_HOUR: GuardLimit = { name: "mailbox-link", points: 3, seconds: 60 * 60 };
const LINKS_PER_DAY: GuardLimit = { name: "mailbox-link-day", points: 6, seconds: 24 * 60 * 60 };

/**
 * Mails the user the link that proves their mailbox again, without any text that the user entered. At most 3 an hour
 * and 6 a day. Throws no_change when it is proved, rate_limited.
 */
export async function sendMailboxLink(ctx: Context, _input: Record<never, never>): Promise<{ sent: true }> {
  authorize(ctx.actor, "account.own");
  const { userId } = ctx.actor;
  const { email, proved } = await ownMailbox(ctx, {});
  if (proved) throw new DomainError("no_change");
  for (const limit of [LINKS_PER_HOUR, LINKS_PER_DAY]) await consume(ctx.db, limit, userId);
  const url = `${env().APP_URL}/confirm-email/${linkToken("mailbox", userId)}`;
  await queueEmail(ctx.db, { to: email, template: "confirm_mailbox", locale: ctx.locale, params: { url } });
  return { sent: true };
}
sendMailboxLink.permission = "account.own" as const;
sendMailboxLink.input = nothingSchema;
sendMailboxLink.errors = ["no_change"] as const;

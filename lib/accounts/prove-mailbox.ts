import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { linkTokenSchema } from "@/lib/domain/card-holder";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { sendWaitingEmails } from "@/lib/email/queue";
import { linkedId } from "@/lib/secrets/mailed-link";

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

import { type AuditContext, auditCustomer } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Actor } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { linkToken } from "@/lib/secrets/secrets";
import type { MailedCard } from "./model/card";
import type { PendingEmail } from "./model/card-holder";
import { type EmailChangeKind, HOURS_TO_CHANGE } from "./model/email-change";

type AskedChange = {
  email: string;
  kind: EmailChangeKind;
  deviceId?: string | null;
  reason?: string;
};

const HOUR = 60 * 60 * 1000;

/**
 * Writes down a change of a card's e-mail, which a job applies later, and mails it: to both addresses for a return, else to the
 * present one, with a link that stops it. Answers when. Throws email_change_pending, email_taken, and conflict when the card has
 * another e-mail by now, was erased, or was frozen before its holder's change.
 */
export async function askEmailChange(
  tx: Tx,
  ctx: Context<Actor>,
  card: MailedCard,
  asked: AskedChange,
): Promise<Date> {
  const { email, kind, deviceId = null, reason = null } = asked;
  const now = ctx.clock();
  const dueAt = new Date(now.getTime() + HOURS_TO_CHANGE[kind] * HOUR);
  // The lock of the card's row puts this before or after a freeze, which then sees this row or is seen here.
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    insert into email_changes (customer_id, old_email, new_email, kind, device_id, reason, due_at, created_at)
    select c.id, c.email, ${email}, ${kind}, ${deviceId}::uuid, ${reason}, ${dueAt}::timestamptz, ${now}::timestamptz
    from customers c
    where c.id = ${card.id}::uuid and c.email = ${card.email} and c.status <> 'erased'
      and (c.status <> 'frozen' or ${kind} <> 'holder')
      and not exists (select from customers o where o.merchant_id = c.merchant_id and o.email = ${email})
    for no key update of c
    on conflict (customer_id) do nothing
    returning id::text as id`;
  if (!row) throw await refusal(tx, card, email);
  await auditCustomer(tx, ctx, card, {
    action: "customer.email_asked",
    before: { email: card.email },
    after: { email, dueAt: dueAt.toISOString(), ...(reason ? { reason } : {}) },
  });
  const locale = localeOr(card.locale);
  const restores = kind === "restore";
  const params = {
    name: card.fullName,
    merchant: merchantName(card, locale),
    email: maskEmail(email),
    by: kind === "holder" ? ("holder" as const) : ("staff" as const),
    at: dueAt,
    ...(reason === null ? {} : { reason }),
    ...(restores
      ? {}
      : { stopUrl: `${env().APP_URL}/card/email-change/${linkToken("email change", row.id)}` }),
  };
  // Without the customer's id, so that the warning is sent even if the card is deleted in the meantime.
  const mail = { template: "email_change_asked", params, locale, shop: card.merchantId } as const;
  for (const to of restores ? [card.email, email] : [card.email]) await queueEmail(tx, { ...mail, to });
  return dueAt;
}

async function refusal(tx: Tx, { id, merchantId }: MailedCard, email: string): Promise<DomainError> {
  if (await tx.emailChange.findUnique({ where: { customerId: id }, select: { id: true } })) {
    return new DomainError("email_change_pending");
  }
  const where = { merchantId_email: { merchantId, email } };
  const taken = await tx.customer.findUnique({ where, select: { id: true } });
  if (!taken) return new DomainError("conflict");
  return new DomainError("email_taken", {}, [{ path: "email", message: "errors.email_taken" }]);
}

/** Which waiting change of a card is stopped: any of it, or the one with this id, of this device, or only of these kinds. */
type Stopped = {
  customerId: string;
  merchantId: string;
  id?: string;
  deviceId?: string;
  kinds?: readonly EmailChangeKind[];
};

/** Deletes a card's waiting change, and writes that down. Answers whether there was one. */
export async function stopEmailChange(
  tx: Tx,
  ctx: AuditContext,
  { customerId, merchantId, id, deviceId, kinds }: Stopped,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ oldEmail: string; newEmail: string }[]>`
    delete from email_changes
    where customer_id = ${customerId}::uuid and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
      and (${deviceId ?? null}::uuid is null or device_id = ${deviceId ?? null}::uuid)
      and (${kinds ?? null}::text[] is null or kind = any(${kinds ?? null}::text[]))
    returning old_email as "oldEmail", new_email as "newEmail"`;
  if (!row) return false;
  const change = { before: { email: row.newEmail }, after: { email: row.oldEmail } };
  const card = { id: customerId, merchantId };
  await auditCustomer(tx, ctx, card, { action: "customer.email_stopped", ...change });
  return true;
}

/** Stops a card's waiting change in a transaction. Throws `otherwise` if there is none. */
export async function stopOrRefuse(
  ctx: Context<Actor>,
  which: Stopped,
  otherwise: "conflict" | "link_used",
): Promise<{ stopped: true }> {
  const stopped = await ctx.db.$transaction((tx) => stopEmailChange(tx, ctx, which));
  if (!stopped) throw new DomainError(otherwise);
  return { stopped: true };
}

/** Throws email_change_pending while staff give a card back: whoever has the present mailbox does not undo that. */
export async function assertNotGivenBack(db: Pick<Tx, "emailChange">, customerId: string): Promise<void> {
  const kind = "restore" satisfies EmailChangeKind;
  if ((await db.emailChange.count({ where: { customerId, kind } })) > 0)
    throw new DomainError("email_change_pending");
}

/** The change of a card's e-mail that waits, or null. */
export async function pendingEmail(
  db: Pick<Tx, "emailChange">,
  customerId: string,
): Promise<PendingEmail | null> {
  const row = await db.emailChange.findUnique({
    where: { customerId },
    select: { newEmail: true, kind: true, dueAt: true },
  });
  return row && { email: row.newEmail, kind: row.kind as EmailChangeKind, dueAt: row.dueAt };
}

import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Actor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { linkToken } from "@/lib/secrets/secrets";
import type { PendingEmail } from "./model/card-holder";
import { type EmailChangeKind, HOURS_TO_CHANGE } from "./model/email-change";

/** A requested change of a card's e-mail. `oldEmail` is the address that is replaced. */
export type AskedChange = {
  customerId: string;
  merchantId: string;
  oldEmail: string;
  newEmail: string;
  kind: EmailChangeKind;
  /** The holder's device that asks. */
  deviceId?: string | null;
  reason?: string;
};

const HOUR = 60 * 60 * 1000;

/**
 * Writes down a change of a card's e-mail, which a job applies after 72 hours (24 hours when staff restore an earlier
 * address). Throws email_change_pending when one waits already, email_taken, and conflict when the card has another
 * e-mail by now, was erased, or was frozen before its holder's change.
 */
export async function askEmailChange(
  tx: Tx,
  ctx: Context<Actor>,
  asked: AskedChange,
): Promise<{ id: string; dueAt: Date }> {
  const { customerId, merchantId, oldEmail, newEmail, kind, deviceId = null, reason = null } = asked;
  const now = ctx.clock();
  const dueAt = new Date(now.getTime() + HOURS_TO_CHANGE[kind] * HOUR);
  // The lock of the card's row puts this before or after a freeze, which then sees this row or is seen here.
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    insert into email_changes (customer_id, old_email, new_email, kind, device_id, reason, due_at, created_at)
    select c.id, c.email, ${newEmail}, ${kind}, ${deviceId}::uuid, ${reason}, ${dueAt}::timestamptz, ${now}::timestamptz
    from customers c
    where c.id = ${customerId}::uuid and c.email = ${oldEmail} and c.status <> 'erased'
      and (c.status <> 'frozen' or ${kind} <> 'holder')
      and not exists (select from customers o where o.merchant_id = c.merchant_id and o.email = ${newEmail})
    for no key update of c
    on conflict (customer_id) do nothing
    returning id::text as id`;
  if (!row) throw await refusal(tx, asked);
  await audit(tx, ctx, {
    merchantId,
    action: "customer.email_asked",
    entity: "customer",
    entityId: customerId,
    before: { email: oldEmail },
    after: { email: newEmail, dueAt: dueAt.toISOString(), ...(reason ? { reason } : {}) },
  });
  return { id: row.id, dueAt };
}

async function refusal(tx: Tx, { customerId, merchantId, newEmail }: AskedChange): Promise<DomainError> {
  if (await tx.emailChange.findUnique({ where: { customerId }, select: { id: true } })) {
    return new DomainError("email_change_pending");
  }
  const where = { merchantId_email: { merchantId, email: newEmail } };
  const taken = await tx.customer.findUnique({ where, select: { id: true } });
  if (!taken) return new DomainError("conflict");
  return new DomainError("email_taken", {}, [{ path: "email", message: "errors.email_taken" }]);
}

/** Which waiting change of a card is stopped: any of it, or the one with this id, or only of these kinds. */
type Stopped = { customerId: string; merchantId: string; id?: string; kinds?: readonly EmailChangeKind[] };

/** Deletes a card's waiting change, and writes that down. Answers whether there was one. */
export async function stopEmailChange(
  tx: Tx,
  ctx: { actor: Actor },
  { customerId, merchantId, id, kinds }: Stopped,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ oldEmail: string; newEmail: string }[]>`
    delete from email_changes
    where customer_id = ${customerId}::uuid and (${id ?? null}::uuid is null or id = ${id ?? null}::uuid)
      and (${kinds ?? null}::text[] is null or kind = any(${kinds ?? null}::text[]))
    returning old_email as "oldEmail", new_email as "newEmail"`;
  if (!row) return false;
  await audit(tx, ctx, {
    merchantId,
    action: "customer.email_stopped",
    entity: "customer",
    entityId: customerId,
    before: { email: row.newEmail },
    after: { email: row.oldEmail },
  });
  return true;
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

/** The link that stops a waiting change of a card's e-mail. */
export const stopUrl = (changeId: string): string =>
  `${env().APP_URL}/card/email-change/${linkToken("email change", changeId)}`;

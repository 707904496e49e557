import { z } from "zod";
import type { Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import type { Actor } from "@/lib/domain/actor";

/** Every audited action. */
const AUDIT_ACTIONS = [
  "admin.changed",
  "admin.created",
  "admin.disabled",
  "admin.enabled",
  "admin.invited",
  "branch.archived",
  "branch.changed",
  "branch.created",
  "branch.deleted",
  "branch.reopened",
  "customer.active",
  "customer.blocked",
  "customer.edit",
  "customer.email",
  "customer.erased",
  "customer.frozen",
  "customer.unfreeze",
  "factor.added",
  "factor.codes",
  "factor.recovered",
  "factor.removed",
  "merchant.approved",
  "merchant.changed",
  "merchant.received",
  "merchant.rejected",
  "worker.changed",
  "worker.created",
  "worker.disabled",
  "worker.enabled",
  "worker.invited",
] as const;

const details = z.record(z.string(), z.json().optional());

/** One audit entry: the action, the merchant, the record, and its values before and after. */
const auditSchema = z.strictObject({
  merchantId: z.guid().nullable(),
  action: z.enum(AUDIT_ACTIONS),
  entity: z.enum(["branch", "customer", "merchant", "user"]),
  entityId: z.guid(),
  before: details.optional(),
  after: details.optional(),
});
export type AuditEntry = z.input<typeof auditSchema>;

/** The columns of an actor. All are empty for a stranger. */
function actorColumns(actor: Actor | null): Partial<Prisma.AuditUncheckedCreateInput> {
  switch (actor?.type) {
    case "user":
      return { actorType: "user", actorId: actor.userId };
    case "apiKey":
      return { actorType: "api_key", apiKeyId: actor.keyId };
    case "cardHolder":
      return { actorType: "card_holder", customerId: actor.customerId };
    case "system":
      return { actorType: "system", job: actor.job };
    case undefined:
      return {};
  }
}

/**
 * Writes an audit entry in the transaction of its change. It is the only writer of audits.
 * Throws a ZodError for an invalid entry, which is a bug of the caller.
 */
export async function audit(tx: Tx, ctx: { actor: Actor | null }, entry: AuditEntry): Promise<void> {
  const data = { ...auditSchema.parse(entry), ...actorColumns(ctx.actor) };
  await tx.audit.create({ data, select: { id: true } });
}

/** Removes the values from an erased customer's audit entries. The entries themselves stay. */
export async function redactAudits(tx: Tx, customerId: string): Promise<void> {
  await tx.audit.updateMany({
    where: { entity: "customer", entityId: customerId },
    data: { before: Prisma.DbNull, after: Prisma.DbNull },
  });
}

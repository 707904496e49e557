import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import type { MerchantRef } from "@/lib/domain/merchant-name";
import { pageSchema } from "@/lib/domain/paging";

/** Every audited action. The first word is its kind, by which activity is filtered. */
export const AUDIT_ACTIONS = [
  "admin.changed",
  "admin.created",
  "admin.disabled",
  "admin.enabled",
  "admin.invited",
  "audit.cut",
  "audit.searches_erased",
  "branch.archived",
  "branch.changed",
  "branch.created",
  "branch.deleted",
  "branch.reopened",
  "config.approved",
  "config.asked",
  "config.cancelled",
  "config.changed",
  "config.dropped",
  "config.replaced",
  "config.withdrawn",
  "customer.active",
  "customer.blocked",
  "customer.device",
  "customer.device_ended",
  "customer.edit",
  "customer.email",
  "customer.email_asked",
  "customer.email_stopped",
  "customer.erased",
  "customer.frozen",
  "customer.receipt_copied",
  "customer.registered",
  "customer.unfreeze",
  "export.activity",
  "export.card",
  "export.customers",
  "export.journal",
  "export.liability",
  "export.transactions",
  "export.workers",
  "entry.move",
  "entry.post",
  "entry.write_off",
  "hold.lapsed",
  "hold.opened",
  "hold.released",
  "hold.voided",
  "factor.added",
  "factor.codes",
  "factor.recovered",
  "factor.removed",
  "factor.renamed",
  "key.changed",
  "key.created",
  "key.leaked",
  "key.revoked",
  "key.rotated",
  "webhook.changed",
  "webhook.created",
  "webhook.deleted",
  "webhook.disabled",
  "webhook.replayed",
  "webhook.rotated",
  "posting.given_up",
  "merchant.approved",
  "merchant.changed",
  "merchant.document",
  "merchant.profile_approved",
  "merchant.profile_asked",
  "merchant.profile_cancelled",
  "merchant.profile_rejected",
  "merchant.reapplied",
  "merchant.received",
  "merchant.reinstated",
  "merchant.rejected",
  "merchant.settings",
  "merchant.suspended",
  "opening.customer",
  "opening.many",
  "password.changed",
  "password.requested",
  "password.reset",
  "platform.changed",
  "profile.changed",
  "profile.email",
  "profile.mailbox",
  "session.ended",
  "session.opened",
  "session.refused",
  "shift.closed",
  "shift.opened",
  "shift.pay_in",
  "shift.pay_out",
  "till.changed",
  "till.code",
  "till.created",
  "till.paired",
  "till.pin_locked",
  "till.pin_opened",
  "till.retired",
  "worker.changed",
  "worker.created",
  "worker.disabled",
  "worker.enabled",
  "worker.invited",
  "worker.pin",
  "worker.pin_removed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type KindOf<Action extends string> = Action extends `${infer Kind}.${string}` ? Kind : never;
export type ActivityKind = KindOf<AuditAction>;
/** The kinds of action, in the order of the filter. */
export const ACTIVITY_KINDS = [
  "session",
  "password",
  "factor",
  "profile",
  "opening",
  "export",
  "customer",
  "worker",
  "branch",
  "till",
  "shift",
  "entry",
  "key",
  "webhook",
  "posting",
  "hold",
  "merchant",
  "config",
  "platform",
  "admin",
  "audit",
] as const satisfies readonly ActivityKind[];

export const AUDIT_ENTITIES = [
  "apiKey",
  "branch",
  "customer",
  "merchant",
  "platform",
  "till",
  "user",
  "webhook",
] as const;
export type AuditEntity = (typeof AUDIT_ENTITIES)[number];

const day = z.iso.date("validation.date").optional();

/** The filters of the activity. Both days are Asia/Qatar days and included; the merchant is an administrator's filter. */
export const activityFilterSchema = z.object({
  actorId: idSchema.optional(),
  kind: z.enum(ACTIVITY_KINDS, "validation.invalid").optional(),
  customerId: idSchema.optional(),
  merchantId: idSchema.optional(),
  from: day,
  to: day,
});
export type ActivityFilter = z.output<typeof activityFilterSchema>;

export const activitySchema = pageSchema.extend(activityFilterSchema.shape);

/** activitySchema with the format of the answer: a page, or everything that matches as a file. */
export const activityReportSchema = activitySchema.extend({
  format: z.enum(["json", "csv"], "validation.invalid").optional(),
});
export type ActivityReportQuery = z.output<typeof activityReportSchema>;

/**
 * The actor of an activity. Owners do not see an administrator's name. A stranger is somebody without a
 * session.
 */
export type ActivityActor = {
  type: "user" | "administrator" | "apiKey" | "cardHolder" | "system" | "stranger";
  id: string | null;
  name: string | null;
};

export type ActivityValues = Record<string, unknown>;

/** One entry of the audit log. Values that were erased are null. */
export type Activity = {
  id: string;
  createdAt: Date;
  action: AuditAction;
  actor: ActivityActor;
  merchant: MerchantRef | null;
  entity: AuditEntity;
  entityId: string | null;
  /** The record's present name. */
  entityName: string | null;
  /** Of a merchant, its Arabic one too. */
  entityNameAr: string | null;
  before: ActivityValues | null;
  after: ActivityValues | null;
  address: string | null;
  /** Such as "Chrome on Windows". */
  device: string | null;
};

export type ActivityChange = { field: string; from: unknown; to: unknown };

/** The fields whose values differ. */
export function changesOf({ before, after }: Pick<Activity, "before" | "after">): ActivityChange[] {
  const fields = Object.keys(after ?? {}).filter((field) => before && field in before);
  return fields.flatMap((field) => {
    const [from, to] = [before?.[field], after?.[field]];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }];
  });
}

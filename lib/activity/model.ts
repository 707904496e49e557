import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import type { MerchantRef } from "@/lib/domain/localized-names";
import { pageSchema } from "@/lib/domain/paging";
import { daySchema } from "@/lib/ledger/model/movements";

/** Every audited action by its kind, by which activity is filtered, in the order of the filter. */
const ACTIONS = {
  session: ["ended", "opened", "refused"],
  password: ["changed", "requested", "reset"],
  factor: ["added", "codes", "recovered", "removed", "renamed"],
  profile: ["changed", "email", "mailbox"],
  opening: ["customer", "many"],
  export: ["activity", "card", "customers", "journal", "liability", "transactions", "workers"],
  customer: [
    "active",
    "blocked",
    "device",
    "device_ended",
    "edit",
    "email",
    "email_asked",
    "email_stopped",
    "erased",
    "frozen",
    "receipt_copied",
    "registered",
    "unfreeze",
  ],
  worker: ["changed", "created", "disabled", "enabled", "invited", "pin", "pin_removed"],
  branch: ["archived", "changed", "created", "deleted", "reopened"],
  till: ["changed", "code", "created", "paired", "pin_locked", "pin_opened", "retired"],
  shift: ["closed", "opened", "pay_in", "pay_out"],
  entry: ["move", "post", "write_off"],
  key: ["changed", "created", "leaked", "revoked", "rotated"],
  webhook: ["changed", "created", "deleted", "disabled", "replayed", "rotated"],
  posting: ["given_up"],
  hold: ["lapsed", "opened", "released", "voided"],
  merchant: [
    "approved",
    "changed",
    "document",
    "profile_approved",
    "profile_asked",
    "profile_cancelled",
    "profile_rejected",
    "reapplied",
    "received",
    "reinstated",
    "rejected",
    "settings",
    "suspended",
  ],
  config: ["approved", "asked", "cancelled", "changed", "dropped", "replaced", "withdrawn"],
  platform: ["changed"],
  admin: ["changed", "created", "disabled", "enabled", "invited"],
  audit: ["cut", "searches_erased"],
} as const;
export type ActivityKind = keyof typeof ACTIONS;
export const ACTIVITY_KINDS = Object.keys(ACTIONS) as ActivityKind[];

type AuditAction = {
  [Kind in ActivityKind]: `${Kind}.${(typeof ACTIONS)[Kind][number]}`;
}[ActivityKind];
export const AUDIT_ACTIONS = ACTIVITY_KINDS.flatMap((kind) =>
  ACTIONS[kind].map((action) => `${kind}.${action}` as AuditAction),
);

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
type AuditEntity = (typeof AUDIT_ENTITIES)[number];

/** The filters of the activity. Both days are Asia/Qatar days and included; the merchant is an administrator's filter. */
export const activityFilterSchema = z.object({
  actorId: idSchema.optional(),
  kind: z.enum(ACTIVITY_KINDS, "validation.invalid").optional(),
  customerId: idSchema.optional(),
  merchantId: idSchema.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
});
export type ActivityFilter = z.output<typeof activityFilterSchema>;

export const activitySchema = pageSchema.extend(activityFilterSchema.shape);

export const activityReportSchema = activitySchema.extend({
  format: z.enum(["json", "csv"], "validation.invalid").optional(),
});

/** The kinds of actors. A stranger is somebody without a session. */
export const ACTOR_KINDS = ["user", "administrator", "apiKey", "cardHolder", "system", "stranger"] as const;
/** The actor of an activity. Owners do not see an administrator's name. */
export type ActivityActor = {
  type: (typeof ACTOR_KINDS)[number];
  id: string | null;
  name: string | null;
};

type ActivityValues = Record<string, unknown>;

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
  entityNameAr: string | null;
  before: ActivityValues | null;
  after: ActivityValues | null;
  address: string | null;
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

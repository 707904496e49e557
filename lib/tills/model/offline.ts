import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";
import { isId } from "@/lib/domain/is-id";
import { pageSchema } from "@/lib/domain/paging";
import { idempotencyKeySchema, requiredReason, TOP_UP_REFUSALS } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import { MAX_ENTRIES } from "./offline-counter";

/** An entry that is older goes to the inbox. */
export const MAX_ENTRY_DAYS = 7;

const uuid = z.string("validation.invalid").refine(isId, "validation.invalid");

/**
 * A top-up as a till kept it. The names are those that the till signs: `sSig` is a compact JWS whose payload is the entry
 * without `sSig` and `sMac`, value for value, so that nothing is converted here. `sMac` is the HMAC-SHA-256 of `sSig`
 * (base64url) under the key of the session that kept it. It is not in the payload: a server of the version before drops it.
 */
const signedEntrySchema = z.object({
  // However large: an entry with a number that nobody can take is refused alone.
  n: z.int("validation.invalid").min(1, "validation.invalid"),
  sKey: idempotencyKeySchema,
  iWorkerId: uuid,
  customerId: uuid,
  iBranchId: uuid,
  sPoints: z
    .int("validation.points.required")
    .min(1, "validation.points.required")
    .max(1_000_000, "validation.points.tooLarge"),
  eTender: z.enum(TENDERS, "validation.tender"),
  sSaleRef: z
    .string("validation.saleRef")
    .min(1, "validation.saleRef")
    .max(64, "validation.saleRef")
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, "validation.saleRef")
    .optional(),
  // Postgres has no year 0.
  dOccurredAt: z.iso
    .datetime("validation.date")
    .refine((text) => text >= "1900", { error: "validation.date" }),
  sSig: z.string("validation.invalid").max(4096, "validation.invalid"),
  sMac: z.string("validation.invalid").max(4096, "validation.invalid").optional(),
});
export type SignedEntry = z.output<typeof signedEntrySchema>;

export const syncTillSchema = z.object({
  entries: z.array(signedEntrySchema, "validation.invalid").max(MAX_ENTRIES, "validation.tooLong"),
  /** The thumbprint (RFC 7638) of the key that signed them, where it is not the one that proves the request. */
  signedBy: z
    .string("validation.invalid")
    .regex(/^[\w-]{43}$/, "validation.invalid")
    .optional(),
});

export const INBOX_CODES = [
  "till_retired",
  "till_replaced",
  "entry_old",
  "entry_from_future",
  "worker_disabled",
  "worker_not_here",
  "not_from_session",
  "offline_limit",
  "tender_not_taken",
  "key_reused",
  "reversed_before_arrival",
  "not_found",
  ...TOP_UP_REFUSALS,
] as const;
export type InboxCode = (typeof INBOX_CODES)[number];

/** Any other refusal is shown as one of a customer that was not found: there is nobody to post to. */
export const inboxCode = (code: string): InboxCode =>
  INBOX_CODES.find((known) => known === code) ?? "not_found";

export const RESOLUTIONS = ["post", "move", "write_off"] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const resolveEntrySchema = z
  .object({
    id: idSchema,
    action: z.enum(RESOLUTIONS, { error: "validation.invalid" }),
    /** The customer to move it to: an id, or the code that people read. */
    customerId: z
      .string("validation.invalid")
      .trim()
      .max(100, "validation.tooLong")
      .transform((text) => text || undefined)
      .optional(),
    reason: requiredReason,
  })
  .superRefine(({ action, customerId }, ctx) => {
    if (action === "move" && !customerId)
      ctx.addIssue({ code: "custom", path: ["customerId"], message: "validation.customer.required" });
  });

export const entriesSchema = pageSchema.extend({
  tillId: idSchema.optional(),
  merchantId: idSchema.optional(),
  state: z.enum(["waiting", "resolved", "all"], "validation.invalid").default("waiting"),
});

import { z } from "zod";
import type { ShownId } from "@/lib/customers/model/customer-id";
import type { ActorType } from "@/lib/domain/actor";
import { idSchema } from "@/lib/domain/ids";
import type { BranchNames, BranchRef, MerchantRef } from "@/lib/domain/localized-names";
import { cleanSaleRef, parsePoints, toLatinDigits } from "@/lib/domain/money";
import { TENDERS, type Tender } from "./tender";

export const CARD_REFUSALS = [
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
] as const;

export const POSTING_REFUSALS = ["branch_mismatch", ...CARD_REFUSALS] as const;

export const TOP_UP_REFUSALS = [
  ...POSTING_REFUSALS,
  "below_minimum",
  "above_maximum",
  "balance_limit",
  "daily_cap",
] as const;

export const MOVEMENT_TYPES = [
  "TOP_UP",
  "REDEEM",
  "REVERSAL",
  "REFUND",
  "BONUS",
  "EXPIRY",
  "ADJUSTMENT",
  "IMPORT",
] as const;
export type MovementType = (typeof MOVEMENT_TYPES)[number];

export const PROOF_KINDS = ["none", "live_code", "mailed_code"] as const;

/** One row of the ledger. `points` is signed; `rate` is the value of a point at that time, in dirhams. */
export type Movement = {
  id: string;
  type: MovementType;
  points: number;
  /** The signed parts of `points`: paid and bonus. */
  paidPoints: number;
  bonusPoints: number;
  balanceAfter: number;
  bonusAfter: number;
  rate: number;
  /** The value of a point of the balance at that time, in dirhams. `rate` of a reversal or refund is its original's. */
  balanceRate: number;
  seq: number;
  /** For top-ups only. */
  tender: Tender | null;
  saleRef: string | null;
  reason: string | null;
  reversesId: string | null;
  refundsId: string | null;
  /** The time at the counter; createdAt is the database's time. */
  occurredAt: Date;
  createdAt: Date;
  customer: { id: ShownId; publicId: string; fullName: string };
  /** Null when the movement was made at no branch. */
  branch: BranchRef | null;
  till: { id: string; name: string } | null;
  actor: MovementActor;
  /** Until when it may be undone in one touch; null when it cannot be. */
  undoUntil: Date | null;
};

/** `replayed`: the same key posted this movement before. `held`: how much of the card's balance open holds reserve now. */
export type Receipt = { movement: Movement; replayed: boolean; held: number };

/** The actor of a movement. Only users and API keys have a name, and only a user has an id. */
export type MovementActor =
  | { type: "user"; id: string; name: string }
  | { type: "apiKey"; id: null; name: string }
  | { type: Exclude<ActorType, "user" | "apiKey">; id: null; name: null };

export type LoggedMovement = Movement & {
  receiptNumber: string;
  /** The card's code, without which a card of the version before may be for a moment. */
  customerCode: string | null;
  merchant: MerchantRef;
  proof: (typeof PROOF_KINDS)[number];
  /** The user who posted it from the inbox of a till's kept top-ups, beside the actor. */
  resolver: { id: string; name: string } | null;
  reverses: MovementLink | null;
  reversedBy: MovementLink | null;
  refunds: MovementLink | null;
  /** The refunds that are not reversed, the oldest first. */
  refundedBy: MovementLink[];
  /** The customer has deleted the card. The card gets no more movements, and nobody is named. */
  customerErased: boolean;
};

/** How many points of a redemption can still be given back; 0 for anything else, and where the card was deleted. */
export function leftToRefund({ type, points, refundedBy, reversedBy, customerErased }: LoggedMovement) {
  if (type !== "REDEEM" || reversedBy !== null || customerErased) return 0;
  return refundedBy.reduce((left, refund) => left - refund.points, Math.abs(points));
}

export type MovementLink = { id: string; type: MovementType; points: number; createdAt: Date };

/** A balance by pocket, in points: what is paid, and the bonus that has not ended. */
export type Pockets = {
  paid: number;
  bonus: number;
  /** The part of the bonus that ends first, and the last day (Asia/Qatar) on which it is good. */
  endsNext: { points: number; day: string } | null;
};

/** An open hold as the card shows it: the points that are left, where, and until when. */
export type ReservedPoints = { points: number; branch: BranchNames; until: Date };

/** One page of a list; `nextCursor` asks for the page after it, null is the end. */
export type Page<T> = { results: T[]; nextCursor: string | null };

type Sums<T> = { toppedUp: T; redeemed: T; net: T };

/** In points; `value` in QAR ("350.00"), each at its rate. A reversal reduces what it reverses, uncounted. */
export type MovementTotals = Sums<number> & {
  count: number;
  value: Sums<string>;
  /** Before reversals; null where only reversals are asked for, or too many match to add them up. */
  gross: { toppedUp: number; redeemed: number; value: { toppedUp: string; redeemed: string } } | null;
};

/** A required id with its own message. */
export const requiredId = (message: string) =>
  z.string({ error: message }).trim().min(1, { error: message, abort: true }).pipe(idSchema);
/** A day (YYYY-MM-DD). Postgres has no year 0, and the day after 9999-12-31 does not fit this format. */
export const daySchema = z.iso
  .date({ error: "validation.date" })
  .refine((text) => text >= "1900-01-01" && text < "9999-01-01", { error: "validation.date" });

/** An amount of points: a number, or its text in Latin, Arabic-Indic or Persian digits. */
export const pointsSchema = z
  .union([z.number(), z.string().max(100, { error: "validation.points.tooLarge" })], {
    error: "validation.points.required",
  })
  .transform((value, ctx) => {
    const parsed = parsePoints(value);
    if (parsed.ok) return parsed.points;
    ctx.issues.push({ code: "custom", message: `validation.points.${parsed.problem}`, input: value });
    return z.NEVER;
  });

// Postgres cannot store NUL characters and lone surrogates.
export const storable = (text: string) => text.replace(/\p{Surrogate}|\0/gu, "");

/** Identifies a repeated request: 1 to 200 printable ASCII characters without spaces, unique per actor. */
export const idempotencyKeySchema = z
  .string()
  .min(1, { error: "validation.idempotencyKey", abort: true })
  .max(200, { error: "validation.idempotencyKey", abort: true })
  .regex(/^[!-~]+$/, { error: "validation.idempotencyKey" });

/** A key as draft 07 of the IETF writes it, in quotes, is the same as the key without them. */
export const unquoted = (key: string): string =>
  /^"(?:[^"\\]|\\["\\])*"$/.test(key) ? key.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : key;

/** An optional value. Null counts as absent, since some clients send it for missing values. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);

export const reasonSchema = z
  .string({ error: "validation.reason.required" })
  .trim()
  .max(500, { error: "validation.reason.tooLong" })
  .transform(storable);

/** The merchant's bill number: up to 64 printable characters, digits as 0-9; blank counts as absent. */
export const saleRefSchema = z
  .string({ error: "validation.saleRef" })
  .trim()
  .max(64, { error: "validation.saleRef" })
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, { error: "validation.saleRef" })
  .transform(cleanSaleRef);

const postingSchema = z.object({
  /** The private or the public id of the customer. */
  customerId: requiredId("validation.customer.required"),
  points: pointsSchema,
  branchId: requiredId("validation.branch.required"),
  /** From a super_admin. It must be the customer's merchant. */
  merchantId: optional(requiredId("validation.merchant.required")).optional(),
  saleRef: saleRefSchema.optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});

export const topUpSchema = postingSchema.extend({
  /** The default is cash. */
  tender: z.enum(TENDERS, { error: "validation.tender" }).optional(),
});
export type TopUp = z.output<typeof topUpSchema>;

/** The live code of the card, or the six-digit code mailed to the customer. */
export const proofSchema = optional(z.string().trim().max(200, "validation.tooLong"))
  .transform((text) => (text ? toLatinDigits(text) : undefined))
  .optional();

export const redeemSchema = postingSchema.extend({ proof: proofSchema });

export const reverseSchema = z.object({
  movementId: requiredId("validation.movement"),
  /** Required, except from a worker who undoes their own movement. */
  reason: optional(reasonSchema).optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});

export const requiredReason = reasonSchema.pipe(z.string().min(1, { error: "validation.reason.required" }));

export const giveBonusSchema = postingSchema.omit({ saleRef: true }).extend({
  reason: requiredReason,
  /** The last day (Asia/Qatar) on which the bonus is valid; without it, the bonus does not expire. */
  endsOn: daySchema.optional(),
});

export const refundSchema = z.object({
  movementId: requiredId("validation.movement"),
  /** The default is the rest of the redemption. */
  points: pointsSchema.optional(),
  reason: requiredReason,
  saleRef: saleRefSchema.optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});

/** The net of days in QAR ("350.00") that a page has only a part of; null where it is not known or not shown. */
export type CutDays = Readonly<Record<string, string | null>>;

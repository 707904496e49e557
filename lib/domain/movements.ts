import { z } from "zod";
import type { ActorType } from "./actor";
import { idSchema } from "./ids";
import { parsePoints, toLatinDigits } from "./money";
import { sortSchema } from "./paging";

/** A points configuration: amounts in points, the rate in dirhams a point, the undo window in minutes. */
export type PointsRules = {
  dirhamsPerPoint: number;
  minTopUp: number;
  maxTopUp: number;
  maxBalance: number;
  undoMinutes: number;
  /** Points a worker may top up in a day; null is no cap. */
  workerDailyCap: number | null;
};

/** The configuration in force for a merchant, and which version of whose record it is. */
export type RulesInForce = PointsRules & { version: number; overridden: boolean; since: Date };

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

/** How a top-up was paid for. */
export const TENDERS = ["cash", "card", "bank", "online", "other"] as const;
export type Tender = (typeof TENDERS)[number];

export const PROOF_KINDS = ["none", "live_code", "mailed_code"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** One row of the ledger as callers see it. `points` is signed; `rate` is what a point was worth then, in dirhams. */
export type Movement = {
  id: string;
  type: MovementType;
  points: number;
  /** Signed: of the points, what is paid and what is bonus. */
  paidPoints: number;
  bonusPoints: number;
  balanceAfter: number;
  /** The bonus in balanceAfter. */
  bonusAfter: number;
  rate: number;
  /** What a point of the balance was worth then: the rate of a reversal or refund is its original's. */
  balanceRate: number;
  seq: number;
  /** Of a top-up only. */
  tender: Tender | null;
  /** The shop's own bill number. */
  saleRef: string | null;
  reason: string | null;
  reversesId: string | null;
  /** The redemption of which it gives a part back. */
  refundsId: string | null;
  /** The counter's clock; createdAt is the database's. */
  occurredAt: Date;
  createdAt: Date;
  customer: { id: string; publicId: string; fullName: string };
  /** Null where nobody stood at a branch. */
  branch: { id: string; name: string } | null;
  actor: MovementActor;
  /** Until when it may be undone in one touch; null when it cannot be. */
  undoUntil: Date | null;
};

/** What a posting answers. `replayed` says that an earlier posting with the same key is answered again. */
export type Receipt = { movement: Movement; replayed: boolean };

/** Who made a movement, by kind; only a user has a name and an id. */
export type MovementActor =
  | { type: "user"; id: string; name: string }
  | { type: Exclude<ActorType, "user">; id: null; name: null };

/** A movement in the transaction log. */
export type LoggedMovement = Movement & {
  merchant: { id: string; businessName: string };
  proof: ProofKind;
  reverses: MovementLink | null;
  reversedBy: MovementLink | null;
  refunds: MovementLink | null;
  /** The refunds that stand, the oldest first. */
  refundedBy: MovementLink[];
  /** The customer has deleted the card: nothing moves on it any more, and nobody is named. */
  customerErased: boolean;
};
/** How many points of a redemption can still be given back. */
export function leftToRefund({ points, refundedBy }: LoggedMovement): number {
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

/** One page of a list; `nextCursor` asks for the page after it, null is the end. */
export type Page<T> = { results: T[]; nextCursor: string | null };

/** Sums over a filtered set of movements, in points: a reversal takes from what it reverses and is not counted itself. */
export type MovementTotals = { count: number; toppedUp: number; redeemed: number; net: number };

/** A required id under its own message; one that cannot exist is simply not found. */
const id = (message: string) =>
  z.string({ error: message }).trim().min(1, { error: message, abort: true }).pipe(idSchema);
// Postgres has no year 0, and the day after the last of 9999 has no name of this form.
const day = z.iso
  .date({ error: "validation.date" })
  .refine((text) => text >= "1900-01-01" && text < "9999-01-01", { error: "validation.date" });

/** An amount of points: a number or its digits as text (Arabic-Indic and Persian ones too). */
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

// NUL and half characters are text that Postgres cannot keep.
const storable = (text: string) => text.replace(/\p{Surrogate}|\0/gu, "");

/** What makes a repeated request the same request: 1 to 200 plain characters without spaces, unique for the actor. */
export const idempotencyKeySchema = z
  .string()
  .min(1, { error: "validation.idempotencyKey", abort: true })
  .max(200, { error: "validation.idempotencyKey", abort: true })
  .regex(/^[!-~]+$/, { error: "validation.idempotencyKey" });

/** What a client that knows no value sends as null counts as not sent. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

export const reasonSchema = z
  .string({ error: "validation.reason.required" })
  .trim()
  .max(500, { error: "validation.reason.tooLong" })
  .transform(storable);

/** The shop's own bill number: 1 to 64 printable characters; blank is none. */
const saleRefSchema = z
  .string({ error: "validation.saleRef" })
  .trim()
  .max(64, { error: "validation.saleRef" })
  .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, { error: "validation.saleRef" })
  .transform((text) => text || undefined);

const movesPointsSchema = z.object({
  /** The private or the public id. */
  customerId: id("validation.customer.required"),
  points: pointsSchema,
  branchId: id("validation.branch.required"),
  /** Named by a super_admin: must be the customer's merchant. */
  merchantId: maybe(id("validation.merchant.required")).optional(),
  saleRef: saleRefSchema.optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});

export const topUpSchema = movesPointsSchema.extend({
  /** Cash where nothing is said. */
  tender: z.enum(TENDERS, { error: "validation.tender" }).optional(),
});
export type TopUp = z.output<typeof topUpSchema>;

export const redeemSchema = movesPointsSchema.extend({
  /** The live code of the card, or the six digits mailed to the customer. */
  proof: maybe(z.string().trim().max(200, "validation.tooLong"))
    .transform((text) => (text ? toLatinDigits(text) : undefined))
    .optional(),
});
export type Redeem = z.output<typeof redeemSchema>;

export const reverseSchema = z.object({
  movementId: id("validation.movement"),
  /** Asked of everyone but a worker who undoes an own movement. */
  reason: maybe(reasonSchema).optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});
export type Reverse = z.output<typeof reverseSchema>;

/** How many rows the ledger's lists answer where a caller names no number. */
export const LIST_ROWS = { statement: 20, recent: 10, log: 25 } as const;
/** A list's query, of which whoever calls the operation itself may leave the number out too. */
type ListQuery<S extends z.ZodType<{ limit: number }>> = Omit<z.output<S>, "limit"> & { limit?: number };

/** Why money was given: asked of everyone. */
const requiredReason = reasonSchema.pipe(z.string().min(1, { error: "validation.reason.required" }));

export const giveBonusSchema = z.object({
  customerId: id("validation.customer.required"),
  points: pointsSchema,
  branchId: id("validation.branch.required"),
  merchantId: maybe(id("validation.merchant.required")).optional(),
  reason: requiredReason,
  /** The last day (Asia/Qatar) on which it is good; without one it never ends. */
  endsOn: day.optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});
export type GiveBonus = z.output<typeof giveBonusSchema>;

export const refundSchema = z.object({
  movementId: id("validation.movement"),
  /** Without a number: all that is left of the redemption. */
  points: pointsSchema.optional(),
  reason: requiredReason,
  saleRef: saleRefSchema.optional(),
  idempotencyKey: idempotencyKeySchema.optional(),
});
export type Refund = z.output<typeof refundSchema>;

export const statementSchema = z.object({
  customerId: id("validation.customer.required"),
  cursor: z.string().max(40).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(LIST_ROWS.statement),
});
export type StatementQuery = ListQuery<typeof statementSchema>;

export const recentSchema = z.object({
  type: z.enum(["TOP_UP", "REDEEM"]),
  limit: z.coerce.number().int().min(1).max(20).default(LIST_ROWS.recent),
});
export type RecentQuery = ListQuery<typeof recentSchema>;

/** The transaction log's filters; days are Asia/Qatar days, both included. */
export const movementFilterSchema = z.object({
  type: z.enum(MOVEMENT_TYPES).optional(),
  from: day.optional(),
  to: day.optional(),
  merchantId: id("validation.merchant.required").optional(),
  branchId: id("validation.branch.required").optional(),
  workerId: id("validation.worker").optional(),
  customerId: id("validation.customer.required").optional(),
  tender: z.enum(TENDERS, { error: "validation.tender" }).optional(),
  search: z.string().trim().max(100).transform(storable).optional(),
});
export type MovementFilter = z.output<typeof movementFilterSchema>;

export const movementsSchema = movementFilterSchema.extend({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(LIST_ROWS.log),
  /** Newest first where nothing is said. */
  sort: sortSchema(["time"]),
});
export type MovementsQuery = ListQuery<typeof movementsSchema>;

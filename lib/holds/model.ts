import { z } from "zod";
import { scannedId } from "@/lib/counter/model/counter";
import type { ShownId } from "@/lib/customers/model/customer-id";
import type { CustomerStatus } from "@/lib/customers/model/customers";
import type { BranchRef } from "@/lib/domain/branch-name";
import { idSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import type { MerchantRef } from "@/lib/domain/merchant-name";
import { pageSchema } from "@/lib/domain/paging";
import {
  idempotencyKeySchema,
  type Movement,
  type MovementActor,
  pointsSchema,
  proofSchema,
  type Receipt,
  reasonSchema,
  requiredId,
  saleRefSchema,
  unquoted,
} from "@/lib/ledger/model/movements";

/** Voided and lapsed also where parts were captured before. */
export const HOLD_STATES = ["open", "captured", "voided", "lapsed"] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** Why a hold was voided, where it was not by a call of void: the counter took it over, or its answer was lost. */
export const HOLD_REASONS = ["taken_at_counter", "lost_answer"] as const;
type HoldReason = (typeof HOLD_REASONS)[number];

/** Seconds of a hold: the shortest, the longest unless the key allows more, and the longest that an owner may allow. */
export const HOLD_SECONDS = { least: 30, most: 900, mostOfKey: 86_400 };

/** A hold: points of a card that only its captures take. Amounts are in points. */
export type Hold = {
  id: string;
  /** As of now: a hold whose time is over is lapsed, whatever a job has written down. */
  state: HoldState;
  reason: HoldReason | null;
  /** A person's note about its end; null where the card was deleted. */
  note: string | null;
  points: number;
  captured: number;
  /** The points that can still be captured; 0 once it is not open. */
  remaining: number;
  expiresAt: Date;
  createdAt: Date;
  closedAt: Date | null;
  extended: boolean;
  /** Which pockets the points come from; together `points`. */
  drawn: { paid: number; bonus: number };
  saleRef: string | null;
  customer: { id: ShownId; publicId: string; fullName: string };
  customerErased: boolean;
  /** The card's status today: a hold of before it was blocked or frozen may still be captured. */
  customerStatus: CustomerStatus;
  /** Whether staff of the merchant hold the card. */
  staffCard: boolean;
  merchant: MerchantRef;
  branch: BranchRef;
  actor: MovementActor;
};

/** A hold with the card's figures after the call, in points: the balance, and how much of it is held in all. */
export type HeldCard = { hold: Hold; balance: number; held: number; replayed: boolean };

/** A capture: the redemption's receipt, and the hold after it. */
export type Capture = Receipt & { hold: Hold };

const seconds = z
  .number("validation.number.type")
  .int("validation.number.type")
  .min(HOLD_SECONDS.least)
  .max(HOLD_SECONDS.mostOfKey);
const keyed = { idempotencyKey: idempotencyKeySchema.optional() };

export const openHoldSchema = z
  .object({
    /** The private or the public id of the customer; or `code`. */
    customerId: requiredId("validation.customer.required").optional(),
    /** The text of the card's QR code, printed or live. */
    code: z.string("validation.type").trim().max(2_000, "validation.tooLong").optional(),
    branchId: requiredId("validation.branch.required"),
    points: pointsSchema,
    /** Holds what is available, where that is less. */
    upTo: z.boolean("validation.type").optional(),
    seconds,
    saleRef: saleRefSchema.optional(),
    proof: proofSchema,
    ...keyed,
  })
  .transform(({ customerId, code, ...rest }, ctx) => {
    if ((customerId === undefined) !== (code === undefined)) {
      return { ...rest, customerId: customerId ?? scannedId(code ?? "") ?? NIL_ID };
    }
    ctx.issues.push({
      code: "custom",
      message: "validation.customer.required",
      path: ["customerId"],
      input: customerId,
    });
    return z.NEVER;
  });
export type OpenHold = z.output<typeof openHoldSchema>;

export const captureHoldSchema = z.object({
  holdId: idSchema,
  /** The default is the rest. */
  points: pointsSchema.optional(),
  /** Whether what is left is given back; the default. */
  final: z.boolean("validation.type").optional(),
  /** The default is the hold's. */
  saleRef: saleRefSchema.optional(),
  ...keyed,
});
export type CaptureHold = z.output<typeof captureHoldSchema>;

export const voidHoldSchema = z.object({ holdId: idSchema, note: reasonSchema.optional(), ...keyed });
export type VoidHold = z.output<typeof voidHoldSchema>;

export const extendHoldSchema = z.object({ holdId: idSchema, seconds, ...keyed });
export type ExtendHold = z.output<typeof extendHoldSchema>;

export const releaseHoldSchema = z.object({
  holdId: idSchema,
  /** The card's live code. */
  proof: z.string("validation.required").trim().min(1, "validation.required").max(200, "validation.tooLong"),
  ...keyed,
});
export type ReleaseHold = z.output<typeof releaseHoldSchema>;

export const readHoldSchema = z.object({ holdId: idSchema });

export const holdsSchema = pageSchema.extend({
  /** Either id of the customer. */
  customerId: idSchema.optional(),
  branchId: idSchema.optional(),
  /** The API key that opened it. */
  keyId: idSchema.optional(),
  /** The default is every state. */
  state: z.enum(HOLD_STATES, "validation.invalid").optional(),
  /** Useful to a super_admin only, who sees every merchant. */
  merchantId: idSchema.optional(),
});
export type HoldsQuery = z.output<typeof holdsSchema>;

/** The same filters for a page, which shows the open ones by default. */
export const holdListSchema = holdsSchema.extend({
  state: z.enum([...HOLD_STATES, "all"], "validation.invalid").default("open"),
});

/** The sum of open holds, in points and QAR ("20.00"), and their number. */
export type ReservedNow = { holds: number; points: number; cashValue: string };

/** The types that a request of POST reversals may name by bill number. */
const SALE_TYPES = ["TOP_UP", "REDEEM", "REFUND", "HOLD"] as const;

export const reverseLostSchema = z
  .object({
    /** The idempotency key of the request whose answer was lost, quoted or not. */
    lostKey: z.string().transform(unquoted).pipe(idempotencyKeySchema).optional(),
    saleRef: saleRefSchema.optional(),
    type: z.enum(SALE_TYPES, { error: "validation.invalid" }).optional(),
  })
  .superRefine(({ lostKey, saleRef, type }, ctx) => {
    const named = saleRef !== undefined && type !== undefined;
    if (lostKey !== undefined ? saleRef === undefined && type === undefined : named) return;
    ctx.addIssue({ code: "custom", path: ["lostKey"], message: "validation.idempotencyKey" });
  });
export type ReverseLost = z.output<typeof reverseLostSchema>;

/** A lost request's end: its hold is voided, `movement` reversed it, or a tombstone keeps it from being posted. */
export type LostResult = {
  result: "voided" | "reversed" | "tombstone";
  movement: Movement | null;
  hold: Hold | null;
};

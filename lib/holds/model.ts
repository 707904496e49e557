import { z } from "zod";
import { scannedId } from "@/lib/counter/model/counter";
import { idSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import { pageSchema } from "@/lib/domain/paging";
import {
  idempotencyKeySchema,
  pointsSchema,
  proofSchema,
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

/** Seconds of a hold: the shortest, the longest unless the key allows more, and the longest that an owner may allow. */
export const HOLD_SECONDS = { least: 30, most: 900, mostOfKey: 86_400 };

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
    ctx.addIssue({ code: "custom", message: "validation.customer.required", path: ["customerId"] });
    return z.NEVER;
  });

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

export const voidHoldSchema = z.object({ holdId: idSchema, note: reasonSchema.optional(), ...keyed });

export const extendHoldSchema = z.object({ holdId: idSchema, seconds, ...keyed });

export const releaseHoldSchema = z.object({
  holdId: idSchema,
  proof: z.string("validation.required").trim().min(1, "validation.required").max(200, "validation.tooLong"),
  ...keyed,
});

export const holdsSchema = pageSchema.extend({
  /** Either id of the customer. */
  customerId: idSchema.optional(),
  branchId: idSchema.optional(),
  keyId: idSchema.optional(),
  state: z.enum(HOLD_STATES, "validation.invalid").optional(),
  /** Useful to a super_admin only, who sees every merchant. */
  merchantId: idSchema.optional(),
});
export type HoldsQuery = z.output<typeof holdsSchema>;

export const holdListSchema = holdsSchema.extend({
  state: z.enum([...HOLD_STATES, "all"], "validation.invalid").default("open"),
});

/** The sum of open holds, in points and QAR ("20.00"), and their number. */
export type ReservedNow = { holds: number; points: number; cashValue: string };

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

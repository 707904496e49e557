import { z } from "zod";
import { toLatinDigits } from "@/lib/domain/money";
import { sortSchema } from "@/lib/domain/paging";
import { ROLES } from "@/lib/domain/roles";
import { daySchema, MOVEMENT_TYPES, requiredId, storable } from "./movements";
import { TENDERS } from "./tender";

export const statementSchema = z.object({
  customerId: requiredId("validation.customer.required"),
  cursor: z.string().max(40).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

export const recentSchema = z.object({
  type: z.enum(["TOP_UP", "REDEEM"]),
  limit: z.coerce.number().int().min(1).max(20).default(10),
});

export const findRedemptionsSchema = z.object({
  saleRef: z
    .string({ error: "validation.saleRef" })
    .trim()
    .min(1, { error: "validation.saleRef" })
    .max(64, { error: "validation.saleRef" })
    .transform((text) => toLatinDigits(storable(text))),
});

/** The filters of the transaction log. `from` and `to` are Asia/Qatar days and are both included. */
export const movementFilterSchema = z.object({
  type: z.enum(MOVEMENT_TYPES).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  merchantId: requiredId("validation.merchant.required").optional(),
  branchId: requiredId("validation.branch.required").optional(),
  workerId: requiredId("validation.worker").optional(),
  keyId: requiredId("validation.invalid").optional(),
  customerId: requiredId("validation.customer.required").optional(),
  tender: z.enum(TENDERS, { error: "validation.tender" }).optional(),
  actorRole: z.enum(ROLES, { error: "validation.invalid" }).optional(),
  /** Only what was posted to cards that the merchant's staff hold; not for workers. */
  staffCards: z.enum(["true", "false"]).optional(),
  search: z.string().trim().max(100).transform(storable).optional(),
});
export type MovementFilter = z.output<typeof movementFilterSchema>;

export const movementsSchema = movementFilterSchema.extend({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(25),
  /** The default is newest first. */
  sort: sortSchema(["time"]),
});
export type MovementsQuery = Omit<z.output<typeof movementsSchema>, "limit"> & { limit?: number };

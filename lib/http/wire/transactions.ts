import { z } from "zod";
import {
  type LoggedMovement,
  MOVEMENT_TYPES,
  type MovementLink,
  type Page,
  PROOF_KINDS,
} from "@/lib/domain/movements";
import { movementShape, toMovementWire } from "./money";
import { same } from "./names";

/** GET transactions/export: days are Asia/Qatar days, both included. */
export const exportQuery = {
  ...same("type", "from", "to", "search"),
  merchant: "merchantId",
  branch: "branchId",
  worker: "workerId",
  customer: "customerId",
} as const;

/** GET transactions: the order is newest first (-time) unless asked otherwise. */
export const transactionsQuery = { ...exportQuery, ...same("cursor", "limit", "sort") } as const;

const link = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  sPoints: z.number(),
  dCreatedAt: z.iso.datetime(),
});
const linkFrom = (from: MovementLink): z.output<typeof link> => ({
  _id: from.id,
  eType: from.type,
  sPoints: from.points,
  dCreatedAt: from.createdAt.toISOString(),
});

const logged = movementShape.extend({
  actor: z.object({ _id: z.string(), sName: z.string() }),
  merchant: z.object({ _id: z.string(), sBusinessName: z.string() }),
  sReason: z.string().nullable(),
  eProof: z.enum(PROOF_KINDS),
  reverses: link.optional(),
  reversedBy: link.optional(),
});

function loggedFrom(movement: LoggedMovement): z.output<typeof logged> {
  return {
    ...toMovementWire(movement),
    actor: { _id: movement.actor.id, sName: movement.actor.name },
    merchant: { _id: movement.merchant.id, sBusinessName: movement.merchant.businessName },
    sReason: movement.reason,
    eProof: movement.proof,
    ...(movement.reverses ? { reverses: linkFrom(movement.reverses) } : {}),
    ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
  };
}

export const transactionsReply = {
  schema: z.object({ results: z.array(logged), nextCursor: z.string().nullable() }),
  from: ({ results, nextCursor }: Page<LoggedMovement>) => ({ results: results.map(loggedFrom), nextCursor }),
};

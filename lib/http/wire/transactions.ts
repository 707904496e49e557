import { z } from "zod";
import {
  type LoggedMovement,
  MOVEMENT_TYPES,
  type MovementLink,
  movementsSchema,
  type Page,
  PROOF_KINDS,
} from "@/lib/domain/movements";
import { movementShape, toMovementWire } from "./money";

const query = movementsSchema.shape;
const filters = z.object({
  type: query.type,
  /** The first day, Asia/Qatar. */
  from: query.from,
  /** The last day, Asia/Qatar. */
  to: query.to,
  merchant: query.merchantId,
  branch: query.branchId,
  worker: query.workerId,
  customer: query.customerId,
  search: query.search,
});

function filterOf({ merchant, branch, worker, customer, ...same }: z.output<typeof filters>) {
  return { ...same, merchantId: merchant, branchId: branch, workerId: worker, customerId: customer };
}

/** GET transactions. */
export const transactionsQuery = filters
  .extend({
    cursor: query.cursor,
    limit: query.limit,
    /** Oldest first with time; -time by itself. */
    sort: query.sort,
  })
  .transform(({ cursor, limit, sort, ...rest }) => ({ ...filterOf(rest), cursor, limit, sort }));

/** GET transactions/export. */
export const exportQuery = filters.transform(filterOf);

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

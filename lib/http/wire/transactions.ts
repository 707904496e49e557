import { z } from "zod";
import { type LoggedMovement, type Page, PROOF_KINDS } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { merchantRefFrom, merchantRefShape } from "./merchant-ref";
import { link, linkFrom, movementShape, toMovementWire } from "./money";
import { same } from "./names";

/** GET transactions/export. Both days are Asia/Qatar days and are included. */
export const exportQuery = {
  ...same("type", "from", "to", "search", "staffCards"),
  merchant: "merchantId",
  branch: "branchId",
  worker: "workerId",
  customer: "customerId",
  tender: "tender",
  actorRole: "actorRole",
} as const;

/** GET transactions. The default order is newest first (-time). */
export const transactionsQuery = { ...exportQuery, ...same("cursor", "limit", "sort") } as const;

const logged = movementShape.extend({
  merchant: merchantRefShape,
  sReason: z.string().nullable(),
  eProof: z.enum(PROOF_KINDS),
  reverses: link.optional(),
  reversedBy: link.optional(),
  /** Of a refund: the redemption of which it gave a part back. */
  refunds: link.optional(),
  /** Of a redemption: its refunds that stand, the oldest first. */
  refundedBy: z.array(link).optional(),
});

function loggedFrom(movement: LoggedMovement, locale: Locale): z.output<typeof logged> {
  return {
    ...toMovementWire(movement, locale),
    merchant: merchantRefFrom(movement.merchant),
    sReason: movement.reason,
    eProof: movement.proof,
    ...(movement.reverses ? { reverses: linkFrom(movement.reverses) } : {}),
    ...(movement.reversedBy ? { reversedBy: linkFrom(movement.reversedBy) } : {}),
    ...(movement.refunds ? { refunds: linkFrom(movement.refunds) } : {}),
    ...(movement.refundedBy.length > 0 ? { refundedBy: movement.refundedBy.map(linkFrom) } : {}),
  };
}

export const transactionsReply = {
  schema: z.object({ results: z.array(logged), nextCursor: z.string().nullable() }),
  from: ({ results, nextCursor }: Page<LoggedMovement>, locale: Locale) => ({
    results: results.map((movement) => loggedFrom(movement, locale)),
    nextCursor,
  }),
};

import { z } from "zod";
import { cashValue } from "@/lib/domain/money";
import { MOVEMENT_TYPES, type Movement, type Receipt } from "@/lib/domain/movements";
import { same } from "./names";

/** POST top-up-points. */
export const topUpWire = {
  customerId: "customerId",
  sPoints: "points",
  iBranchId: "branchId",
  iMerchantId: "merchantId",
} as const;

/** POST redeem-points: the fields of a top-up, and a confirmation where one is required. */
export const redeemWire = { ...topUpWire, sProof: "proof" } as const;

/** POST transactions/{id}/reverse. */
export const reverseWire = { sReason: "reason" } as const;

export const movementShape = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  /** Signed: negative when points leave the balance. */
  sPoints: z.number(),
  sBalance: z.number(),
  /** The value of the balance. */
  sCashValue: z.string(),
  dCreatedAt: z.string(),
  customer: z.object({ _id: z.string(), sUUID: z.string(), sFullName: z.string() }),
  /** Null when the movement was made at no branch, such as a balance that the card holder gave up. */
  branch: z.object({ _id: z.string(), sBranchName: z.string() }).nullable(),
  undoUntil: z.string().nullable(),
});
export type MovementWire = z.infer<typeof movementShape>;

/** A movement under the API's names. */
export function toMovementWire(movement: Omit<Movement, "actor">): MovementWire {
  const { customer, branch } = movement;
  return {
    _id: movement.id,
    eType: movement.type,
    sPoints: movement.points,
    sBalance: movement.balanceAfter,
    sCashValue: cashValue(movement.balanceAfter, movement.rate),
    dCreatedAt: movement.createdAt.toISOString(),
    customer: { _id: customer.id, sUUID: customer.publicId, sFullName: customer.fullName },
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    undoUntil: movement.undoUntil?.toISOString() ?? null,
  };
}

/** The answer of every posting. */
export const receiptReply = {
  schema: movementShape,
  from: (receipt: Receipt) => toMovementWire(receipt.movement),
};

/** The header of a repeated answer. */
export function replayedHeader(receipt: Receipt): [string, string][] {
  return receipt.replayed ? [["Idempotency-Replayed", "true"]] : [];
}

/** GET recent-top-ups, recent-redeems. `limit` is 1 to 20. */
export const recentQuery = same("limit");
export const recentReply = {
  schema: z.object({ results: z.array(movementShape) }),
  from: (movements: Omit<Movement, "actor">[]) => ({ results: movements.map(toMovementWire) }),
};

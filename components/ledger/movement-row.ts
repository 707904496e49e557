import type { LoggedMovement, MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";

export type MovementPart = "customer" | "merchant" | "by" | "balance" | "sale";

/**
 * The fields of a movement that a list shows. A browser gets each row a second time as data, so a row carries
 * only fields that a cell shows.
 */
export type MovementRow = {
  id: string;
  type: MovementType;
  points: number;
  /** Dirhams per point. */
  rate: number;
  /** Milliseconds since 1970. */
  at: number;
  /** The type is followed by a badge. */
  reversed?: true;
  branch?: string;
  customer?: string;
  /** For those who may narrow the log to a customer. */
  customerId?: string;
  merchant?: string;
  by?: string;
  /** The balance after it, and what a point of it was worth in dirhams. */
  balance?: [points: number, rate: number];
  tender?: Tender;
  bill?: string;
  /** Points of the paid and the bonus pocket, where a movement touches both. */
  pockets?: [paid: number, bonus: number];
};

type Names = Record<"branch" | "customer" | "merchant" | "by", (movement: LoggedMovement) => string>;

/** The row of a movement with these parts. */
export function movementRow(
  movement: LoggedMovement,
  parts: readonly MovementPart[],
  names: Names,
): MovementRow {
  const { id, type, points, rate, paidPoints, bonusPoints, tender, saleRef } = movement;
  const has = (part: MovementPart) => parts.includes(part);
  return {
    id,
    type,
    points,
    rate,
    at: movement.createdAt.getTime(),
    ...(movement.reversedBy !== null && { reversed: true as const }),
    ...(movement.branch && { branch: names.branch(movement) }),
    ...(has("customer") && { customer: names.customer(movement) }),
    ...(has("customer") && has("by") && { customerId: movement.customer.id }),
    ...(has("merchant") && { merchant: names.merchant(movement) }),
    ...(has("by") && { by: names.by(movement) }),
    ...(has("balance") && {
      balance: [movement.balanceAfter, movement.balanceRate] as [number, number],
    }),
    ...(has("sale") && tender && { tender }),
    ...(has("sale") && saleRef && { bill: saleRef }),
    ...(has("sale") &&
      paidPoints !== 0 &&
      bonusPoints !== 0 && { pockets: [paidPoints, bonusPoints] as [number, number] }),
  };
}

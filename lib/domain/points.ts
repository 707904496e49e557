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

export const MOVEMENT_TYPES = ["TOP_UP", "REDEEM", "REVERSAL", "ADJUSTMENT", "IMPORT"] as const;
export type MovementType = (typeof MOVEMENT_TYPES)[number];

export const PROOF_KINDS = ["none", "live_code", "mailed_code"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** One row of the ledger as callers see it. `points` is signed; `rate` is what a point was worth then, in dirhams. */
export type Movement = {
  id: string;
  type: MovementType;
  points: number;
  balanceAfter: number;
  rate: number;
  seq: number;
  reason: string | null;
  reversesId: string | null;
  createdAt: Date;
  customer: { id: string; publicId: string; fullName: string };
  branch: { id: string; name: string };
  actor: { id: string; name: string };
  /** Until when it may be undone in one touch; null when it cannot be. */
  undoUntil: Date | null;
};

/** What a posting answers. `replayed` says that an earlier posting with the same key is answered again. */
export type Receipt = { movement: Movement; replayed: boolean };

/** A movement in the transaction log. */
export type LoggedMovement = Movement & {
  merchant: { id: string; businessName: string };
  proof: ProofKind;
  reverses: MovementLink | null;
  reversedBy: MovementLink | null;
  /** The customer has deleted the card: nothing moves on it any more, and nobody is named. */
  customerErased: boolean;
};
export type MovementLink = { id: string; type: MovementType; points: number; createdAt: Date };

/** One page of a list; `nextCursor` asks for the page after it, null is the end. */
export type Page<T> = { results: T[]; nextCursor: string | null };

/** Sums over a filtered set of movements, in points: a reversal takes from what it reverses and is not counted itself. */
export type MovementTotals = { count: number; toppedUp: number; redeemed: number; net: number };

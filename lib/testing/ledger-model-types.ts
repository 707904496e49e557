import type { MovementType } from "@/lib/ledger/model/movements";

export const DAY = 86_400_000;
export const WEEK = 7 * DAY;
/** The number of a day in Qatar since 1970, from a time in milliseconds. */
export const dayOf = (at: number): number => Math.floor((at + 3 * 3_600_000) / DAY);

type Rules = {
  rate: number;
  min: number;
  max: number;
  maxBalance: number;
  undo: number;
  cap: number | null;
  /** Whether they are the shop's own, and not the platform's. */
  own: boolean;
};
export type ModelShop = {
  id: string;
  approved: boolean;
  suspended: boolean;
  /** Whether its workers need a till. */
  tillRequired: boolean;
  allowance: number;
  paidFirst: boolean;
  refundDays: number;
  /** What a worker may redeem in a day without proof. */
  workerAllowance: number;
  /** A worker's daily limit where no rules of its own are in force. */
  defaultCap: number | null;
  rules: Rules;
};
export type ModelTill = { id: string; name: string; shop: ModelShop; retired: boolean };
export type ModelBranch = { id: string; shop: ModelShop; archived: boolean };
export type Staff = {
  id: string;
  /** Null for administrators. */
  merchantId: string | null;
  worker: boolean;
  email: string;
  phone: string;
  /** E-mails and phones that were replaced. */
  former: Set<string>;
};
/** An API key and its limits. */
export type ModelKey = {
  id: string;
  shop: ModelShop;
  branch: string | null;
  most: number | null;
  mostInDay: number;
  staffCards: boolean;
  /** Seconds of its longest hold; null: 900. */
  longest: number | null;
  revoked: boolean;
};
export type Lot = {
  move: ModelMove;
  points: number;
  left: number;
  /** What open holds reserve of it. */
  held: number;
  ends: number | null;
  extended: boolean;
};
export type ModelCard = {
  id: string;
  publicId: string;
  shop: ModelShop;
  status: "active" | "blocked" | "frozen";
  email: string;
  phone: string;
  paid: number;
  /** What open holds reserve of it. */
  heldPaid: number;
  holds: ModelHold[];
  lots: Lot[];
  moves: ModelMove[];
  last: number;
  unprovedDay: number;
  unproved: number;
  proofs: Set<string>;
};
export type LotMove = { lot: Lot; points: number };
export type ModelMove = {
  id: string | null;
  card: ModelCard;
  type: MovementType;
  paid: number;
  bonus: number;
  balance: number;
  bonusAfter: number;
  rate: number;
  balanceRate: number;
  seq: number;
  at: number;
  branch: string | null;
  staff: string | null;
  /** The API key that posted it. */
  key: string | null;
  till: ModelTill | null;
  /** Whether a top-up was paid in cash. */
  cash: boolean;
  lots: LotMove[];
  reversedBy: ModelMove | null;
  refunds: ModelMove[];
  unproved: boolean;
  /** The hold that it captures. */
  hold: ModelHold | null;
};
export type ModelHold = {
  id: string | null;
  card: ModelCard;
  branch: string;
  staff: string | null;
  key: string | null;
  points: number;
  paid: number;
  captured: number;
  capturedPaid: number;
  lots: { lot: Lot; points: number; captured: number }[];
  state: "open" | "captured" | "voided" | "lapsed";
  createdAt: number;
  expiresAt: number;
  extended: boolean;
  /** The day in whose limits it counts, where it has no proof. */
  unprovedDay: number | null;
  captures: ModelMove[];
};
export type Expected =
  | { outcome: "posted" | "replayed"; move: ModelMove }
  | { outcome: "held"; hold: ModelHold; replayed: boolean }
  | { outcome: string; limit: number | null; balance: number | null; till?: string | null };

export type ModelChange = { paid: number; lots: LotMove[] };
export type Judged = ModelChange | { outcome: string; limit?: number; till?: string | null };

export const bonusOf = (card: ModelCard): number => card.lots.reduce((sum, lot) => sum + lot.left, 0);
export const heldOf = (card: ModelCard): number =>
  card.heldPaid + card.lots.reduce((sum, lot) => sum + lot.held, 0);
export const balanceOf = (card: ModelCard): number => card.paid + bonusOf(card);
/** What no hold reserves. */
export const availableOf = (card: ModelCard): number => balanceOf(card) - heldOf(card);
export const endsFirst = (a: Lot, b: Lot): number =>
  (a.ends ?? Number.POSITIVE_INFINITY) - (b.ends ?? Number.POSITIVE_INFINITY) || a.move.seq - b.move.seq;
export const standing = (moves: ModelMove[]): ModelMove[] => moves.filter((move) => !move.reversedBy);
export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
export const sumOfLots = (change: ModelChange): number => sum(change.lots.map(({ points }) => points));

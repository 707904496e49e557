import type { MovementType } from "./points";

export type CardStatus = "active" | "blocked" | "frozen";

/** A card as its private id opens it. */
export type Card = {
  id: string;
  publicId: string;
  fullName: string;
  email: string | null;
  phone: string | null;
  status: CardStatus;
  /** Points, and what they are worth in QAR ("350.00"). */
  balance: number;
  cashValue: string;
  /** The language in which the holder is written to. */
  locale: string;
  registeredAt: Date;
  merchant: {
    id: string;
    businessName: string;
    imageKey: string | null;
    firstName: string;
    lastName: string;
  };
  /** Whether the caller proved to be the card holder. */
  isHolder: boolean;
};

/** What changes on a card: its balance and, for its holder, the QR with the live code. */
export type CardState = {
  balance: number;
  cashValue: string;
  status: CardStatus;
  /** A data URL; null for whoever has not proved to be the holder. */
  liveQr: string | null;
  at: Date;
};

/** A line of the holder's statement; points are signed, the rate is what a point was worth then, in dirhams. */
export type StatementLine = {
  id: string;
  type: MovementType;
  points: number;
  balanceAfter: number;
  rate: number;
  branch: string;
  createdAt: Date;
};

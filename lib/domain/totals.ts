/** What one day brought: points and how many movements. A reversal takes its points from what it reverses. */
export type DayFigures = { toppedUp: number; topUps: number; redeemed: number; redeems: number };
type DayTotals = DayFigures & { day: string };

/** Points that customers hold, and their value in QAR ("350.00") at each merchant's rate. */
export type Outstanding = { points: number; cashValue: string };

export type BranchTotals = DayFigures & {
  branch: { id: string; name: string; city: string };
  merchant: { id: string; businessName: string };
};

export type CustomerCounts = { total: number; today: number; yesterday: number; month: number };

type WaitingMerchant = { id: string; businessName: string; owner: string; createdAt: Date };

/** A dashboard's blocks; null is what the reader's role may not see. */
export type Dashboard = {
  /** Asia/Qatar. */
  day: string;
  money: {
    today: DayFigures;
    yesterday: DayFigures;
    /** Thirty days, today last. */
    days: DayTotals[];
    /** The thirty days' five best by points topped up. */
    branches: BranchTotals[];
    outstanding: Outstanding;
  } | null;
  customers: CustomerCounts | null;
  waiting: { count: number; first: WaitingMerchant[] } | null;
  /** Whether the program's database role cannot write the ledger itself. */
  apart: boolean | null;
};

/** The first element of customers/totals. */
export type CustomerTotals = {
  customers: CustomerCounts;
  outstanding: Outstanding;
  today: DayFigures;
};

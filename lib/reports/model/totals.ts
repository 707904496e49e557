import type { BranchRef, MerchantRef } from "@/lib/domain/localized-names";
import type { MoneyDay, MoneyFigures } from "./owner-home";

/** The points of all customers, and their value in QAR ("350.00") at each merchant's rate. */
export type Outstanding = { points: number; cashValue: string };

export type BranchTotals = MoneyFigures & { branch: BranchRef; merchant: MerchantRef };

export type CustomerCounts = { total: number; today: number; yesterday: number; month: number };

/** The sections of a dashboard; null where the reader's role has no access. */
export type Dashboard = {
  /** A day in Asia/Qatar. */
  day: string;
  money: {
    today: MoneyFigures;
    /** Up to the same time of the day: a whole day would make every morning look like a loss. */
    yesterday: MoneyFigures;
    /** The last thirty days, ending today. */
    days: MoneyDay[];
    /** The five branches with the most money taken in these thirty days. */
    branches: BranchTotals[];
    outstanding: Outstanding;
  } | null;
  customers: CustomerCounts | null;
  waiting: { count: number; first: (MerchantRef & { owner: string; createdAt: Date })[] } | null;
  /** Whether the program's database role can write movements only through the ledger's functions. */
  apart: boolean | null;
};

export type CustomerTotals = {
  customers: CustomerCounts;
  outstanding: Outstanding;
  today: MoneyFigures;
};

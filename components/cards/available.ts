import { partValue } from "@/lib/domain/money";
import type { CardViewState } from "./types";

/** What can be spent: the balance without what open holds reserve, in points and QAR ("330.00"). */
export function availableOf({
  balance,
  cashValue,
  held = 0,
}: Pick<CardViewState, "balance" | "cashValue" | "held">): { points: number; cashValue: string } {
  if (held === 0) return { points: balance, cashValue };
  const points = Math.max(0, balance - held);
  return { points, cashValue: partValue(points, balance, cashValue) };
}

import { parsePoints } from "@/lib/domain/money";
import type { CounterCustomer, CounterMode } from "./types";

type AmountProblem = "whole" | "positive" | "tooLarge" | "required" | "short" | "below" | "above" | "full";
export type CheckedAmount = { points: number | null; problem: AmountProblem | null };

type Checked = Pick<CounterCustomer, "balance" | "limits">;

function limitProblem(
  points: number,
  mode: CounterMode,
  { balance, limits }: Checked,
): CheckedAmount["problem"] {
  if (mode === "redeem") return points > balance ? "short" : null;
  if (!limits) return null;
  if (points < limits.minTopUp) return "below";
  if (points > limits.maxTopUp) return "above";
  return balance + points > limits.maxBalance ? "full" : null;
}

/**
 * Parses the typed amount in points. A redemption may not exceed the balance, a top-up not the limits; the server
 * decides again, since both may have changed.
 */
export function checkAmount(text: string, mode: CounterMode, customer: Checked): CheckedAmount {
  const parsed = parsePoints(text);
  if (!parsed.ok) return { points: null, problem: parsed.problem };
  const problem = limitProblem(parsed.points, mode, customer);
  return { points: problem ? null : parsed.points, problem };
}

/** The most points that one posting may be now: 0 where none is possible, null where it is not known. */
export function mostPoints(mode: CounterMode, { balance, limits }: Checked): number | null {
  if (mode === "redeem") return Math.max(0, balance);
  if (!limits) return null;
  const room = Math.min(limits.maxTopUp, limits.maxBalance - balance);
  return room < limits.minTopUp ? 0 : room;
}

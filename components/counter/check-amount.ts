import { parsePoints } from "@/lib/domain/money";
import type { CounterCustomer, CounterMode } from "./types";

type AmountProblem = "whole" | "positive" | "tooLarge" | "required" | "short" | "below" | "above" | "full";
export type CheckedAmount = { points: number | null; problem: AmountProblem | null };

type Checked = Pick<CounterCustomer, "balance" | "held" | "limits">;

/** The points that can be spent: the balance without what open holds reserve. */
export const availableOf = ({ balance, held = 0 }: Pick<CounterCustomer, "balance" | "held">): number =>
  Math.max(0, balance - held);

function limitProblem(points: number, mode: CounterMode, customer: Checked): CheckedAmount["problem"] {
  const { balance, limits } = customer;
  if (mode === "redeem") return points > availableOf(customer) ? "short" : null;
  if (!limits) return null;
  if (points < limits.minTopUp) return "below";
  if (points > limits.maxTopUp) return "above";
  return balance + points > limits.maxBalance ? "full" : null;
}

/** Parses the typed amount and checks it against what is available, or the limits; the server decides again. */
export function checkAmount(text: string, mode: CounterMode, customer: Checked): CheckedAmount {
  const parsed = parsePoints(text);
  if (!parsed.ok) return { points: null, problem: parsed.problem };
  const problem = limitProblem(parsed.points, mode, customer);
  return { points: problem ? null : parsed.points, problem };
}

/** The most points that one posting may be now: 0 where none is possible, null where it is not known. */
export function mostPoints(mode: CounterMode, customer: Checked): number | null {
  const { balance, limits } = customer;
  if (mode === "redeem") return availableOf(customer);
  if (!limits) return null;
  const room = Math.min(limits.maxTopUp, limits.maxBalance - balance);
  return room < limits.minTopUp ? 0 : room;
}

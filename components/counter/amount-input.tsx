"use client";

import { DeleteIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { formatCount, parsePoints } from "@/lib/domain/money";
import type { CounterCustomer, CounterMode } from "./types";

export type CheckedAmount = {
  points: number | null;
  problem: "whole" | "positive" | "tooLarge" | "required" | "short" | "below" | "above" | "full" | null;
};

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

/** The message of a problem; an empty field has none. */
function useProblemText({ problem }: CheckedAmount, { balance, limits }: Checked): string | null {
  const t = useTranslations();
  switch (problem) {
    case null:
    case "required":
      return null;
    case "short":
      return t("errors.insufficient_balance", { balance });
    case "below":
      return t("errors.below_minimum", { limit: limits?.minTopUp ?? 0 });
    case "above":
      return t("errors.above_maximum", { limit: limits?.maxTopUp ?? 0 });
    case "full":
      return t("errors.balance_limit", { limit: limits?.maxBalance ?? 0, balance });
    default:
      return t(`validation.points.${problem}`);
  }
}

/** The amount field, filled by keyboard or by the pad below it. An empty field shows no error. */
export function AmountInput({
  value,
  checked,
  customer,
  disabled,
  onChange,
}: {
  value: string;
  checked: CheckedAmount;
  customer: Checked;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const t = useTranslations();
  const text = useProblemText(checked, customer);
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="counter-amount">{t("counter.amount")}</Label>
      <Input
        id="counter-amount"
        dir="ltr"
        // The pad below replaces the phone's keyboard, which would cover it.
        inputMode="none"
        autoComplete="off"
        autoFocus
        maxLength={20}
        value={value}
        disabled={disabled}
        placeholder="0"
        aria-invalid={text !== null}
        aria-describedby={text ? "counter-amount-problem" : undefined}
        className="h-14 text-center font-bold text-3xl tabular-nums md:text-3xl"
        onChange={(event) => onChange(event.target.value)}
      />
      {text && (
        <p id="counter-amount-problem" role="alert" className="text-destructive-strong text-sm">
          {text}
        </p>
      )}
      {checked.problem === "whole" && (
        <Alert variant="destructive">
          <TriangleAlertIcon aria-hidden />
          <AlertDescription>{t("counter.invalidInput")}</AlertDescription>
        </Alert>
      )}
    </div>
  );
}

const QUICK = [10, 50, 100, 200] as const;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
// More digits than any amount needs.
const MAX_DIGITS = 9;

/** Quick amounts and a number pad, every target at least 48 px. `onChange` receives the amount as text. */
export function AmountPad({
  mode,
  value,
  disabled,
  onChange,
}: {
  mode: CounterMode;
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const t = useTranslations("counter");
  const press = (digits: string) => {
    const next = (value + digits).replace(/^0+(?=\d)/, "");
    if (next.length <= MAX_DIGITS) onChange(next);
  };
  const key = "h-12 w-full text-xl font-semibold tabular-nums";
  return (
    <fieldset disabled={disabled} className="grid gap-2" aria-label={t("pad")}>
      <div className="grid grid-cols-4 gap-2">
        {QUICK.map((amount) => (
          <Button
            key={amount}
            variant={value === String(amount) ? "default" : "soft"}
            className="h-12 px-0 text-base tabular-nums"
            aria-pressed={value === String(amount)}
            aria-label={t(mode === "topup" ? "quickAdd" : "quickRedeem", { points: amount })}
            onClick={() => onChange(String(amount))}
          >
            {formatCount(amount)}
          </Button>
        ))}
      </div>
      {/* Digits are laid out as on every till, in Arabic too. */}
      <div className="grid grid-cols-3 gap-2" dir="ltr">
        {KEYS.map((digit) => (
          <Button key={digit} variant="outline" className={key} onClick={() => press(digit)}>
            {digit}
          </Button>
        ))}
        <Button variant="outline" className={key} onClick={() => press("00")}>
          00
        </Button>
        <Button variant="outline" className={key} onClick={() => press("0")}>
          0
        </Button>
        <Button
          variant="outline"
          className={key}
          aria-label={t("erase")}
          onClick={() => onChange(value.slice(0, -1))}
        >
          <DeleteIcon className="size-6" aria-hidden />
        </Button>
      </div>
    </fieldset>
  );
}

"use client";

import { TriangleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { parsePoints } from "@/lib/domain/money";
import type { CounterMode } from "./types";

export type CheckedAmount = {
  points: number | null;
  problem: "whole" | "positive" | "tooLarge" | "required" | "short" | null;
};

/** Reads the typed amount; a redeem may not exceed the balance. */
export function checkAmount(text: string, mode: CounterMode, balance: number): CheckedAmount {
  const parsed = parsePoints(text);
  if (!parsed.ok) return { points: null, problem: parsed.problem };
  if (mode === "redeem" && parsed.points > balance) return { points: null, problem: "short" };
  return { points: parsed.points, problem: null };
}

/** The amount, large; typed on a keyboard or on the pad below it. An empty one is not yet wrong. */
export function AmountField({
  value,
  checked,
  balance,
  disabled,
  onChange,
}: {
  value: string;
  checked: CheckedAmount;
  balance: number;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const t = useTranslations();
  const { problem } = checked;
  const shown = problem === "required" ? null : problem;
  const text =
    shown === "short"
      ? t("errors.insufficient_balance", { balance })
      : shown && t(`validation.points.${shown}`);
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="counter-amount">{t("counter.amount")}</Label>
      <Input
        id="counter-amount"
        dir="ltr"
        // The pad below stands in for a phone's own keyboard, which would hide it.
        inputMode="none"
        autoComplete="off"
        autoFocus
        maxLength={20}
        value={value}
        disabled={disabled}
        placeholder="0"
        aria-invalid={shown !== null}
        aria-describedby={text ? "counter-amount-problem" : undefined}
        className="h-14 text-center font-bold text-3xl tabular-nums md:text-3xl"
        onChange={(event) => onChange(event.target.value)}
      />
      {text && (
        <p id="counter-amount-problem" role="alert" className="text-destructive-strong text-sm">
          {text}
        </p>
      )}
      {shown === "whole" && (
        <Alert variant="destructive">
          <TriangleAlertIcon aria-hidden />
          <AlertDescription>{t("counter.invalidInput")}</AlertDescription>
        </Alert>
      )}
    </div>
  );
}

"use client";

import { DeleteIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/utils";
import { formatCount } from "@/lib/domain/money";
import { MODE_LOOK } from "./mode-look";
import type { CounterMode } from "./types";

const QUICK = [10, 50, 100, 200] as const;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0"] as const;
// More digits than any amount needs.
const MAX_DIGITS = 9;

/**
 * A number pad with quick amounts beside it, every target 48 px high, 44 px on a low screen. `onChange` receives the
 * amount as text.
 */
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
  const look = MODE_LOOK[mode];
  const key = "h-12 low:h-11 w-full px-0 text-xl font-semibold tabular-nums";
  return (
    // Digits are laid out as on every till, in Arabic too.
    <fieldset
      disabled={disabled}
      dir="ltr"
      className="grid grid-flow-col grid-cols-[repeat(3,1fr)_1.15fr] grid-rows-4 gap-1.5 low:gap-1"
      aria-label={t("pad")}
    >
      {QUICK.map((amount, row) => (
        <Button
          key={amount}
          variant="soft"
          className={cn(
            "col-start-4 h-12 low:h-11 px-0 text-base tabular-nums",
            value === String(amount) ? look.solid : [look.soft, "hover:opacity-80"],
          )}
          style={{ gridRow: row + 1 }}
          aria-pressed={value === String(amount)}
          aria-label={t(mode === "topup" ? "quickAdd" : "quickRedeem", { points: amount })}
          onClick={() => onChange(String(amount))}
        >
          {formatCount(amount)}
        </Button>
      ))}
      {/* Keyboards have these keys, so the Tab key skips the pad. */}
      {KEYS.map((digits, index) => (
        <Button
          key={digits}
          variant="outline"
          tabIndex={-1}
          className={key}
          style={{ gridRow: Math.floor(index / 3) + 1, gridColumn: (index % 3) + 1 }}
          onClick={() => press(digits)}
        >
          {digits}
        </Button>
      ))}
      <Button
        variant="outline"
        tabIndex={-1}
        className={cn(key, "col-start-3 row-start-4")}
        aria-label={t("erase")}
        onClick={() => onChange(value.slice(0, -1))}
      >
        <DeleteIcon className="size-6" aria-hidden />
      </Button>
    </fieldset>
  );
}

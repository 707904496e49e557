"use client";

import { DeleteIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/lib/domain/money";

const QUICK = [10, 50, 100, 200] as const;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
// More digits than any amount has.
const LONGEST = 9;

/** Quick amounts and a number pad: every target is 48 px or more. `onChange` gets the amount as text. */
export function AmountPad({
  value,
  disabled,
  onChange,
}: {
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const t = useTranslations("counter");
  const press = (digits: string) => {
    const next = (value + digits).replace(/^0+(?=\d)/, "");
    if (next.length <= LONGEST) onChange(next);
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
            onClick={() => onChange(String(amount))}
          >
            {formatCount(amount)}
          </Button>
        ))}
      </div>
      {/* Digits stand as on every till, in both directions of writing. */}
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

"use client";

import { DeleteIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";

/** Every key is 48 px high, 44 px on a low screen. `onChange` receives the amount as text, if it matches `accepts`. */
export function NumberPad({
  value,
  corner,
  accepts,
  disabled,
  onChange,
  children,
}: {
  value: string;
  corner: "00" | ".";
  accepts: RegExp;
  disabled: boolean;
  onChange: (value: string) => void;
  children?: ReactNode;
}) {
  const t = useTranslations("counter");
  const typed = toLatinDigits(value);
  const press = (digits: string) => {
    const next = (typed + digits).replace(/^0+(?=\d)/, "").replace(/^\./, "0.");
    if (accepts.test(next)) onChange(next);
  };
  const key = "h-12 low:h-11 w-full px-0 text-xl font-semibold tabular-nums";
  return (
    // Digits are laid out as on every till, in Arabic too.
    <fieldset
      disabled={disabled}
      dir="ltr"
      className={cn(
        "grid grid-flow-col grid-rows-4 gap-1.5 low:gap-1",
        children ? "grid-cols-[repeat(3,1fr)_1.15fr]" : "grid-cols-3",
      )}
      aria-label={t("pad")}
    >
      {children}
      {/* Keyboards have these keys, so the Tab key skips the pad. */}
      {[..."123456789", corner, "0"].map((digits, index) => (
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
        onClick={() => onChange(typed.slice(0, -1))}
      >
        <DeleteIcon className="size-6" aria-hidden />
      </Button>
    </fieldset>
  );
}

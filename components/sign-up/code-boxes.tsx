"use client";

import { useTranslations } from "next-intl";
import { type ClipboardEvent, type KeyboardEvent, useRef } from "react";
import { controlClass } from "@/components/ui/input";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";

export const CODE_LENGTH = 6;
const PLACES = [0, 1, 2, 3, 4, 5] as const;

const digitsOf = (text: string) => toLatinDigits(text).replace(/[^0-9]/g, "");

/** The digits with new ones laid over them from a place on. */
function laid(digits: readonly string[], place: number, text: string): string[] {
  const next = [...digits];
  for (const [offset, digit] of [...text].slice(0, CODE_LENGTH - place).entries())
    next[place + offset] = digit;
  return next;
}

/**
 * Six boxes, one digit each: entry moves on, backspace moves back, a whole code may be pasted or offered by the
 * phone. Always left to right, as codes are read.
 */
export function CodeBoxes({
  digits,
  onChange,
  invalid = false,
  describedBy,
  disabled = false,
}: {
  digits: readonly string[];
  onChange: (digits: string[]) => void;
  invalid?: boolean;
  describedBy?: string;
  disabled?: boolean;
}) {
  const t = useTranslations("customerVerify");
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (place: number) => boxes.current[Math.max(0, Math.min(place, CODE_LENGTH - 1))]?.focus();

  function enter(place: number, value: string) {
    const typed = digitsOf(value);
    const before = digits[place] ?? "";
    if (value === "") return onChange(laid(digits, place, " ").map((digit) => digit.trim()));
    if (typed === "") return;
    // A digit typed over another replaces it, on whichever side of it the cursor stood.
    const fresh =
      typed.length === 2 && before !== "" && typed.includes(before) ? typed.replace(before, "") : typed;
    const whole = fresh.length >= CODE_LENGTH;
    onChange(laid(digits, whole ? 0 : place, fresh));
    focus(whole ? CODE_LENGTH : place + fresh.length);
  }

  function press(place: number, event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Backspace" && !digits[place] && place > 0) {
      event.preventDefault();
      onChange(laid(digits, place - 1, " ").map((digit) => digit.trim()));
      focus(place - 1);
    }
    if (event.key === "ArrowLeft") focus(place - 1);
    if (event.key === "ArrowRight") focus(place + 1);
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") event.preventDefault();
  }

  function paste(place: number, event: ClipboardEvent) {
    const text = digitsOf(event.clipboardData.getData("text"));
    event.preventDefault();
    if (text !== "") {
      const from = text.length >= CODE_LENGTH ? 0 : place;
      onChange(laid(digits, from, text));
      focus(from + text.length);
    }
  }

  return (
    <fieldset dir="ltr" className="grid grid-cols-6 gap-2" disabled={disabled}>
      <legend className="sr-only">{t("codeLabel")}</legend>
      {PLACES.map((place) => (
        <input
          key={place}
          ref={(box) => {
            boxes.current[place] = box;
          }}
          type="text"
          inputMode="numeric"
          autoComplete={place === 0 ? "one-time-code" : "off"}
          aria-label={t("digit", { place: place + 1 })}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          value={digits[place] ?? ""}
          onChange={(event) => enter(place, event.target.value)}
          onKeyDown={(event) => press(place, event)}
          onPaste={(event) => paste(place, event)}
          onFocus={(event) => event.target.select()}
          className={cn(
            controlClass,
            "h-14 px-0 text-center font-semibold text-2xl tabular-nums md:text-2xl",
            digits[place] && "border-primary",
          )}
        />
      ))}
    </fieldset>
  );
}

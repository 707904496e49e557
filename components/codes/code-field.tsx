"use client";

import { OTPInput, type RenderProps } from "input-otp";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { FieldError } from "@/components/forms/field";
import { Label } from "@/components/ui/label";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";
import { CODE_LENGTH, type MailedCode } from "./use-mailed-code";

const digitsOf = (text: string): string => toLatinDigits(text).replace(/\D/g, "");

/** The digits after a change of the field: what was typed before others takes their place and moves none of them. */
function typedOver(value: string, text: string, cursor: number): { next: string; at: number } {
  const head = digitsOf(text.slice(0, cursor));
  const tail = digitsOf(text.slice(cursor));
  const typed = Math.max(0, head.length + tail.length - value.length);
  return { next: (head + tail.slice(typed)).slice(0, CODE_LENGTH), at: head.length };
}

/** Selects the digit after the cursor, so that the next one replaces it. The library does so too, but only later. */
function selectNext({ currentTarget: input, key }: KeyboardEvent<HTMLInputElement>): void {
  const { selectionStart: start, selectionEnd: end, value } = input;
  if (digitsOf(key) !== "" && key.length === 1 && start !== null && start === end && start < value.length)
    input.setSelectionRange(start, start + 1);
}

/**
 * Six boxes for a mailed code, over one text field: a screen reader, a paste and the phone's own offer meet a single
 * control. Always left to right, as codes are read; Arabic digits are written as 0-9.
 */
export function CodeField({
  code,
  label,
  hideLabel = false,
  hint,
  autoFocus = false,
}: {
  code: MailedCode;
  label: string;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean;
  /** A line below the boxes, read out when it appears. */
  hint?: ReactNode;
  autoFocus?: boolean;
}) {
  const id = useId();
  const pasted = useRef("");
  const { value, problem, busy, field } = code;
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");

  function change(text: string) {
    const input = field.current;
    const paste = pasted.current;
    pasted.current = "";
    if (!input) return;
    const cursor = input.selectionStart ?? text.length;
    const { next, at } =
      paste.length >= CODE_LENGTH
        ? // A whole code that is pasted replaces what is there, wherever the cursor stands.
          { next: paste.slice(0, CODE_LENGTH), at: CODE_LENGTH }
        : typedOver(value, text, cursor);
    const shown = busy ? value : next;
    if (input.value !== shown) {
      // Written here and not by React, which would move the cursor to the end: the next digit would land there.
      input.value = shown;
      input.setSelectionRange(at, at);
    }
    if (!busy) code.change(next, at >= CODE_LENGTH);
  }

  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id} className={hideLabel ? "sr-only" : undefined}>
        {label}
      </Label>
      <div dir="ltr">
        <OTPInput
          ref={field}
          id={id}
          maxLength={CODE_LENGTH}
          value={value}
          onChange={change}
          pasteTransformer={(text) => {
            pasted.current = digitsOf(text);
            return pasted.current;
          }}
          // What is no digit would take the place of one before it could be refused.
          onBeforeInput={(event) => {
            if (event.data && digitsOf(event.data) === "") event.preventDefault();
          }}
          onKeyDown={selectNext}
          readOnly={busy}
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          aria-invalid={problem !== null || undefined}
          aria-describedby={describedBy || undefined}
          pushPasswordManagerStrategy="none"
          // Nothing here works without scripts.
          noScriptCSSFallback={null}
          render={({ slots }) => <Boxes slots={slots} invalid={problem !== null} busy={busy} />}
        />
      </div>
      {hint && (
        <p id={`${id}-hint`} role="status" className="text-muted-foreground text-sm">
          {hint}
        </p>
      )}
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
    </div>
  );
}

const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;

/** What is seen of the field: the digits and where the next one goes. */
function Boxes({
  slots,
  invalid,
  busy,
}: Pick<RenderProps, "slots"> & {
  invalid: boolean;
  busy: boolean;
}) {
  return (
    <div aria-hidden className={cn("grid grid-cols-6 gap-2", busy && "opacity-60")}>
      {PLACES.map((place, index) => {
        const slot = slots[index];
        return (
          <span
            key={place}
            data-active={slot?.isActive || undefined}
            className={cn(
              "grid h-14 place-items-center rounded-md border border-input bg-card font-semibold text-2xl text-foreground tabular-nums shadow-xs",
              slot?.char && "border-primary",
              invalid && "border-destructive",
              slot?.isActive && "border-ring outline-2 outline-ring",
            )}
          >
            {slot?.char}
            {slot?.hasFakeCaret && <span className="h-6 w-px bg-foreground motion-safe:animate-pulse" />}
          </span>
        );
      })}
    </div>
  );
}

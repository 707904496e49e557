"use client";

import { OTPInput, type RenderProps } from "input-otp";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { FieldError } from "@/components/forms/field-error";
import { Label } from "@/components/ui/label";
import { cn } from "@/components/ui/utils";
import { toLatinDigits } from "@/lib/domain/money";
import { CODE_LENGTH, type MailedCode } from "./use-mailed-code";

const digitsOf = (text: string): string => toLatinDigits(text).replace(/\D/g, "");

/** The digits after a change of the field: typed digits replace those after the cursor instead of shifting them. */
function overtype(value: string, text: string, cursor: number): { next: string; at: number } {
  const head = digitsOf(text.slice(0, cursor));
  const tail = digitsOf(text.slice(cursor));
  const typed = Math.max(0, head.length + tail.length - value.length);
  return { next: (head + tail.slice(typed)).slice(0, CODE_LENGTH), at: head.length };
}

/** Sets the text directly: React would move the cursor to the end, where the next digit would land. */
function show(input: HTMLInputElement, text: string, at: number): void {
  if (input.value === text) return;
  input.value = text;
  input.setSelectionRange(at, at);
}

/** Selects the digit after the cursor, so that the typed one replaces it. The library also does this, but too late. */
function selectNextDigit({ currentTarget: input, key }: KeyboardEvent<HTMLInputElement>): void {
  const { selectionStart: start, selectionEnd: end, value } = input;
  if (digitsOf(key) !== "" && key.length === 1 && start !== null && start === end && start < value.length)
    input.setSelectionRange(start, start + 1);
}

type CodeFieldProps = {
  code: Pick<MailedCode, "value" | "problem" | "busy" | "field" | "change">;
  name?: string;
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  autoFocus?: boolean;
  /** The last code was refused, and the page says so elsewhere. */
  refused?: boolean;
};

/** Six boxes over one text field: screen readers, paste and autofill see one control, left to right. */
export function CodeField({
  code,
  name,
  label,
  hideLabel = false,
  hint,
  autoFocus = false,
  refused = false,
}: CodeFieldProps) {
  const id = useId();
  const pasted = useRef("");
  const { value, problem, busy, field } = code;
  // Until the next digit.
  const invalid = problem !== null || (refused && value === "");
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");

  function change(text: string) {
    const input = field.current;
    const paste = pasted.current;
    pasted.current = "";
    if (!input) return;
    const cursor = input.selectionStart ?? text.length;
    // A full code that was pasted replaces the whole value, wherever the cursor is.
    const whole = paste.length >= CODE_LENGTH && { next: paste.slice(0, CODE_LENGTH), at: CODE_LENGTH };
    const { next, at } = whole || overtype(value, text, cursor);
    show(input, busy ? value : next, at);
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
          name={name}
          maxLength={CODE_LENGTH}
          value={value}
          onChange={change}
          pasteTransformer={(text) => {
            pasted.current = digitsOf(text);
            return pasted.current;
          }}
          // Refused before input: otherwise a non-digit would overwrite a digit.
          onBeforeInput={(event) => {
            if (event.data && digitsOf(event.data) === "") event.preventDefault();
          }}
          onKeyDown={selectNextDigit}
          readOnly={busy}
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy || undefined}
          pushPasswordManagerStrategy="none"
          // The field needs scripts anyway.
          noScriptCSSFallback={null}
          render={({ slots }) => <Boxes slots={slots} invalid={invalid} busy={busy} />}
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

function borderOf({ isActive, char }: RenderProps["slots"][number], invalid: boolean): string {
  if (isActive) return "border-ring outline-2 outline-ring";
  if (invalid) return "border-destructive";
  return char ? "border-primary" : "border-input";
}

function Boxes({ slots, invalid, busy }: Pick<RenderProps, "slots"> & { invalid: boolean; busy: boolean }) {
  return (
    <div aria-hidden className={cn("grid grid-cols-6 gap-2", busy && "opacity-60")}>
      {slots.map((slot, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the boxes stay in their places
          key={index}
          data-active={slot.isActive || undefined}
          className={cn(
            "grid h-14 place-items-center rounded-md border bg-card font-semibold text-2xl text-foreground tabular-nums shadow-xs",
            borderOf(slot, invalid),
          )}
        >
          {slot.char}
          {slot.hasFakeCaret && <span className="h-6 w-px bg-foreground motion-safe:animate-pulse" />}
        </span>
      ))}
    </div>
  );
}

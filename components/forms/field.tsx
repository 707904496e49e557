"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId } from "react";
import { get, useFormState } from "react-hook-form";
import { Label } from "@/components/ui/label";
import { cn } from "@/components/ui/utils";
import { parseFieldMessage } from "@/lib/domain/errors";
import { FieldError } from "./field-error";

/** The props of every field. `name` is the path in the form's values. */
export type FieldProps = {
  name: string;
  label: ReactNode;
  /** A line below the control. */
  hint?: ReactNode;
  /** Shows "(optional)" beside the label. */
  optional?: boolean;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean;
  className?: string;
};

export type ControlProps = {
  id: string;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
};

/** The error message of a field in the user's language, or undefined. */
export function useFieldError(name: string): string | undefined {
  const { errors } = useFormState({ name });
  const message = useFieldMessage();
  useFieldRegistration(name);
  return message((get(errors, name) as { message?: string } | undefined)?.message);
}

/** Label, control, hint and error of one field, linked for screen readers. */
export function Field({
  name,
  label,
  hint,
  optional,
  hideLabel,
  className,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const t = useTranslations("forms");
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div data-slot="field" className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <Label htmlFor={id} className={hideLabel ? "sr-only" : undefined}>
        {label}
        {optional && <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>}
      </Label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-xs">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** A function that translates a catalogue key such as "validation.email" and answers any other text unchanged. */
export function useFieldMessage(): (text: string | undefined) => string | undefined {
  const t = useTranslations();
  return useCallback(
    (text) => {
      const message = parseFieldMessage(text ?? "");
      return message && t.has(message.key as never)
        ? t(message.key as never, message.numbers as never)
        : text || undefined;
    },
    [t],
  );
}

/** Answers the catalogue key for a schema issue that has no message. */
export function issueKey(issue: { code?: string }): string {
  if (issue.code === "invalid_type") return "validation.required";
  if (issue.code === "too_big") return "validation.tooLong";
  if (issue.code === "too_small") return "validation.required";
  return "validation.invalid";
}

export type FormState = {
  busy: boolean;
  /** Registers that a field shows the errors of this path. Answers a function that unregisters it. */
  registerField: (name: string) => () => void;
};

export const FormStateContext = createContext<FormState>({ busy: false, registerField: () => () => {} });

/** Whether the surrounding ActionForm is sending. */
export function useFormBusy(): boolean {
  return useContext(FormStateContext).busy;
}

/** Registers a path whose errors a field shows, so that the form does not repeat them above. */
function useFieldRegistration(name: string): void {
  const { registerField } = useContext(FormStateContext);
  useEffect(() => registerField(name), [registerField, name]);
}

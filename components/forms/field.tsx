"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useEffect, useId } from "react";
import { get, useFormState } from "react-hook-form";
import { Label } from "@/components/ui/label";
import { cn } from "@/components/ui/utils";
import { parseFieldMessage } from "@/lib/domain/errors";
import { FieldError } from "./field-error";

/** The props of every field. `name` is the path in the form's values. */
export type FieldProps = {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
};

/** The error message of a field in the user's language, or undefined. The form does not repeat it above. */
export function useFieldError(name: string): string | undefined {
  const { errors } = useFormState({ name });
  const message = useFieldMessage();
  const { registerField } = useContext(FormStateContext);
  useEffect(() => registerField(name), [registerField, name]);
  return message((get(errors, name) as { message?: string } | undefined)?.message);
}

/** The attributes of a field's control, and the lines of its hint and its error, which describe it to screen readers. */
export function useFieldNotes(name: string, hint: ReactNode) {
  const id = useId();
  const error = useFieldError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = {
    id,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": describedBy || undefined,
  };
  const hintLine = hint && (
    <p id={`${id}-hint`} className="text-muted-foreground text-xs">
      {hint}
    </p>
  );
  const errorLine = error && <FieldError id={`${id}-error`}>{error}</FieldError>;
  return { control, hintLine, errorLine };
}

/** Label, control, hint and error of one field, linked for screen readers. */
export function Field({
  name,
  label,
  hint,
  optional,
  className,
  children,
}: FieldProps & { children: (control: ReturnType<typeof useFieldNotes>["control"]) => ReactNode }) {
  const t = useTranslations("forms");
  const { control, hintLine, errorLine } = useFieldNotes(name, hint);
  return (
    <div data-slot="field" className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <Label htmlFor={control.id}>
        {label}
        {optional && <span className="font-normal text-muted-foreground text-xs">{t("optional")}</span>}
      </Label>
      {children(control)}
      {hintLine}
      {errorLine}
    </div>
  );
}

/** A function that translates a catalogue key such as "validation.email" and answers any other text unchanged. */
export function useFieldMessage(): (text: string | undefined) => string | undefined {
  const t = useTranslations();
  return (text) => {
    const message = parseFieldMessage(text ?? "");
    return message && t.has(message.key as never)
      ? t(message.key as never, message.numbers as never)
      : text || undefined;
  };
}

/** Answers the catalogue key for a schema issue that has no message. */
export function issueKey(issue: { code?: string }): string {
  if (issue.code === "invalid_type" || issue.code === "too_small") return "validation.required";
  if (issue.code === "too_big") return "validation.tooLong";
  return "validation.invalid";
}

/** An ActionForm gives this to its fields. `registerField`: a field shows the errors of this path until the answer is called. */
export const FormStateContext = createContext({
  busy: false,
  registerField: (_name: string) => () => {},
});

/** Whether the surrounding ActionForm is sending. */
export function useFormBusy(): boolean {
  return useContext(FormStateContext).busy;
}

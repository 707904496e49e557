"use client";

import { type ReactNode, useId } from "react";
import { useController } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { type FieldProps, useFieldError } from "./field";
import { FieldError } from "./field-error";

/** A checkbox; its label may contain a link. */
export function CheckboxField({ name, label, hint }: Pick<FieldProps, "name" | "label" | "hint">) {
  const id = useId();
  const { field: controlled } = useController({ name });
  const error = useFieldError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div data-slot="field" className="flex flex-col gap-1">
      <div className="flex items-start gap-3">
        <Checkbox
          id={id}
          ref={controlled.ref}
          name={name}
          checked={controlled.value === true}
          onCheckedChange={(checked: boolean | "indeterminate") => controlled.onChange(checked === true)}
          onBlur={controlled.onBlur}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
        />
        <div className="grid gap-0.5">
          <label htmlFor={id} className="text-sm leading-5 pointer-coarse:-my-3 pointer-coarse:py-3">
            {label}
          </label>
          {hint && (
            <p id={`${id}-hint`} className="text-muted-foreground text-xs">
              {hint}
            </p>
          )}
        </div>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** Several checkboxes whose value is the list of those that are on, in the order of the options. */
export function CheckboxesField<Value extends string>({
  name,
  label,
  hint,
  options,
  className = "flex flex-wrap gap-x-6 gap-y-1",
}: Pick<FieldProps, "name" | "label" | "hint" | "className"> & {
  options: readonly { value: Value; label: ReactNode }[];
}) {
  const id = useId();
  const { field } = useController({ name });
  const error = useFieldError(name);
  const chosen = field.value as Value[];
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const toggle = (value: Value, on: boolean) =>
    field.onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={describedBy || undefined}>
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className={className}>
        {options.map((option, index) => (
          <label
            key={option.value}
            htmlFor={`${id}-${option.value}`}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm"
          >
            <Checkbox
              id={`${id}-${option.value}`}
              // A refused form focuses the first.
              ref={index === 0 ? field.ref : undefined}
              checked={chosen.includes(option.value)}
              aria-invalid={error ? true : undefined}
              onCheckedChange={(on: boolean | "indeterminate") => toggle(option.value, on === true)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-xs">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

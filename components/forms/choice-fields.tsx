"use client";

import { type ReactNode, useId } from "react";
import { useController } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { cn } from "@/components/ui/utils";
import { Field, FieldError, type FieldProps, useFieldError } from "./field";

export type Option = { value: string; label: ReactNode; disabled?: boolean };

/** A select. `onValueChange` is called on each choice, for example to clear a dependent field. */
export function SelectField({
  options,
  placeholder,
  disabled,
  size,
  onValueChange,
  ...field
}: FieldProps & {
  options: readonly Option[];
  placeholder?: string;
  disabled?: boolean;
  size?: "default" | "xl";
  onValueChange?: (value: string) => void;
}) {
  const { field: controlled } = useController({ name: field.name });
  return (
    <Field {...field}>
      {(control) => (
        <Select
          value={(controlled.value as string | undefined) ?? ""}
          onValueChange={(value) => {
            // Radix reports an empty value when its hidden select is reset, which is not a user's choice.
            if (value === "") return;
            controlled.onChange(value);
            onValueChange?.(value);
          }}
          disabled={disabled}
        >
          <SelectTrigger {...control} ref={controlled.ref} onBlur={controlled.onBlur} size={size}>
            <SelectValue placeholder={placeholder}>
              {options.find(({ value }) => value === controlled.value)?.label}
            </SelectValue>
          </SelectTrigger>
          <SelectContent>
            {options.map((option) => (
              <SelectItem key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

type ToggleProps = Pick<FieldProps, "name" | "label" | "hint" | "className"> & { disabled?: boolean };

/** A checkbox; its label may contain a link. */
export function CheckboxField({ name, label, hint, className, disabled }: ToggleProps) {
  const id = useId();
  const { field: controlled } = useController({ name });
  const error = useFieldError(name);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div data-slot="field" className={cn("flex flex-col gap-1", className)}>
      <div className="flex items-start gap-3">
        <Checkbox
          id={id}
          ref={controlled.ref}
          name={name}
          disabled={disabled}
          checked={controlled.value === true}
          onCheckedChange={(checked: boolean | "indeterminate") => controlled.onChange(checked === true)}
          onBlur={controlled.onBlur}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
        />
        <div className="grid gap-0.5">
          <label htmlFor={id} className="text-sm leading-5">
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

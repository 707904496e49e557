"use client";

import type { ReactNode } from "react";
import { useController } from "react-hook-form";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Field, type FieldProps } from "./field";

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

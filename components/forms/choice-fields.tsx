"use client";

import type { ReactNode } from "react";
import { useController } from "react-hook-form";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Field, type FieldProps } from "./field";

export type Option = { value: string; label: ReactNode };

/** A select. */
export function SelectField({
  options,
  placeholder,
  ...field
}: FieldProps & { options: readonly Option[]; placeholder?: string }) {
  const { field: controlled } = useController({ name: field.name });
  return (
    <Field {...field}>
      {(control) => (
        <Select
          value={(controlled.value as string | undefined) ?? ""}
          onValueChange={(value) => {
            // Radix reports an empty value when its hidden select is reset, which is not a user's choice.
            if (value !== "") controlled.onChange(value);
          }}
        >
          <SelectTrigger {...control} ref={controlled.ref} onBlur={controlled.onBlur}>
            <SelectValue placeholder={placeholder}>
              {options.find(({ value }) => value === controlled.value)?.label}
            </SelectValue>
          </SelectTrigger>
          <SelectContent>
            {options.map((option) => (
              <SelectItem key={option.value} value={option.value}>
                {option.label}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </Field>
  );
}

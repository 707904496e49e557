"use client";

import { useController } from "react-hook-form";
import { type Option, OptionSelect } from "@/components/ui/select";
import { Field, type FieldProps } from "./field";

export type { Option } from "@/components/ui/select";

/** A select. */
export function SelectField({
  options,
  placeholder = "",
  ...field
}: FieldProps & { options: readonly Option[]; placeholder?: string }) {
  const { field: controlled } = useController({ name: field.name });
  return (
    <Field {...field}>
      {(control) => (
        <OptionSelect
          {...control}
          ref={controlled.ref}
          onBlur={controlled.onBlur}
          value={(controlled.value as string | undefined) ?? ""}
          options={options}
          placeholder={placeholder}
          onChange={(value) => {
            // Radix reports an empty value when its hidden select is reset, which is not a user's choice.
            if (value !== "") controlled.onChange(value);
          }}
        />
      )}
    </Field>
  );
}

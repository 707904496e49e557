"use client";

import type { ReactNode } from "react";
import { useController } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { type FieldProps, useFieldNotes } from "./field";

/** A checkbox; its label may contain a link. */
export function CheckboxField({ name, label, hint }: Pick<FieldProps, "name" | "label" | "hint">) {
  const { field } = useController({ name });
  const { control, hintLine, errorLine } = useFieldNotes(name, hint);
  return (
    <div data-slot="field" className="flex flex-col gap-1">
      <div className="flex items-start gap-3">
        <Checkbox
          {...control}
          ref={field.ref}
          name={name}
          checked={field.value === true}
          onCheckedChange={field.onChange}
          onBlur={field.onBlur}
        />
        <div className="grid gap-0.5">
          <label htmlFor={control.id} className="text-sm leading-5 pointer-coarse:-my-3 pointer-coarse:py-3">
            {label}
          </label>
          {hintLine}
        </div>
      </div>
      {errorLine}
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
  const { field } = useController({ name });
  const { control, hintLine, errorLine } = useFieldNotes(name, hint);
  const chosen = field.value as Value[];
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={control["aria-describedby"]}>
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className={className}>
        {options.map(({ value, label: text }, index) => (
          <label
            key={value}
            htmlFor={`${control.id}-${value}`}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 text-sm"
          >
            <Checkbox
              id={`${control.id}-${value}`}
              // A refused form focuses the first.
              ref={index === 0 ? field.ref : undefined}
              checked={chosen.includes(value)}
              aria-invalid={control["aria-invalid"]}
              onCheckedChange={(on) =>
                field.onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            {text}
          </label>
        ))}
      </div>
      {hintLine}
      {errorLine}
    </fieldset>
  );
}

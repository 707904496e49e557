"use client";

import { useId } from "react";
import { useController } from "react-hook-form";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/utils";
import { type FieldProps, useFieldError } from "./field";
import { FieldError } from "./field-error";

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

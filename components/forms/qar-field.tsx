"use client";

import { cn } from "@/components/ui/utils";
import { TextField, type TextFieldProps } from "./text-fields";

/** An amount in QAR, with its unit inside. The value stays text for the schema to parse. */
export function QarField({ inputClassName, ...props }: TextFieldProps) {
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      maxLength={14}
      placeholder="0.00"
      {...props}
      inputClassName={cn("tabular-nums rtl:text-end", inputClassName)}
    />
  );
}

"use client";

import { TextField, type TextFieldProps } from "@/components/forms/text-fields";
import { cn } from "@/components/ui/utils";

/** An amount of cash in QAR. */
export function QarField(props: TextFieldProps) {
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      maxLength={14}
      placeholder="0.00"
      {...props}
      inputClassName={cn("h-11 tabular-nums rtl:text-end", props.inputClassName)}
    />
  );
}

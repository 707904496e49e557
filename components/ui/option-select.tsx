"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "./select";

export type OptionSelectProps = {
  id: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

/** A select, open at first. `label` is that of its value. */
export function OptionSelect({
  id,
  value,
  options,
  onChange,
  label,
}: OptionSelectProps & { label: string | undefined }) {
  return (
    <Select defaultOpen value={value} onValueChange={onChange}>
      <SelectTrigger id={id}>
        <SelectValue>{label}</SelectValue>
      </SelectTrigger>
      <SelectContent>
        {options.map((option) => (
          <SelectItem key={option.value} value={option.value}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

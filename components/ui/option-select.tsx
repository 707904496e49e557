"use client";

import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "./select";

/** A select of these options. A value that is none of them, which may stand in an address, counts as the first. */
export function OptionSelect({
  id,
  value,
  options,
  onChange,
}: {
  id: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  const chosen = options.find((option) => option.value === value) ?? options[0];
  return (
    <Select value={value} onValueChange={onChange}>
      <SelectTrigger id={id}>
        <SelectValue>
          <span title={chosen?.label}>{chosen?.label}</span>
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
  );
}

"use client";

import { ChevronDownIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { OptionSelectProps } from "./option-select";
import { useLoaded } from "./use-loaded";

const loadSelect = () => import("./option-select");

/** A select whose list is loaded when it is first opened. Its value is visible before any script runs. */
export function LazySelect(props: OptionSelectProps) {
  const { part, want, warm } = useLoaded(loadSelect);
  // An unknown value, which may stand in an address, counts as the first option.
  const { label } = props.options.find(({ value }) => value === props.value) ?? props.options[0] ?? {};
  if (part) return <part.OptionSelect {...props} label={label} />;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    want();
  };
  return (
    <button
      type="button"
      role="combobox"
      id={props.id}
      aria-expanded={false}
      aria-haspopup="listbox"
      data-slot="select-trigger"
      className="select"
      onClick={want}
      onKeyDown={onKeyDown}
      onPointerEnter={warm}
      onFocus={warm}
    >
      <span title={label}>{label}</span>
      <ChevronDownIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
    </button>
  );
}

"use client";

import { CalendarDaysIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { OptionSelect } from "@/components/ui/select";
import { useLoaded } from "@/components/ui/use-loaded";
import type { ListSort } from "./sorting";
import { type Span, useSpanText } from "./spans";
import { useUrlFilters } from "./url-filters";

export type FilterField = {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Filters that depend on this one. */
  clears?: readonly string[];
  /** The text of the option without a value. Default: "All". */
  without?: string;
  /** For screen readers alone: the values say what it is. */
  hideLabel?: boolean;
};

export type FilterSet = {
  fields?: readonly FilterField[];
  range?: string;
  /** The span that applies without one. */
  span?: Span;
  sort?: ListSort;
};

const ALL = "__all";

/** A select with an option for all, kept in the URL. */
export function FilterSelect({ name, label, options, clears = [], without, hideLabel }: FilterField) {
  const t = useTranslations("list");
  const id = useId();
  const { get, set } = useUrlFilters();
  return (
    <div className="filter">
      <label htmlFor={id} className={hideLabel ? "sr-only" : undefined}>
        {label}
      </label>
      <OptionSelect
        id={id}
        value={get(name) || ALL}
        options={[{ value: ALL, label: without ?? t("all") }, ...options]}
        onChange={(value) =>
          set({
            ...Object.fromEntries(clears.map((key) => [key, null])),
            [name]: value === ALL ? null : value,
          })
        }
      />
    </div>
  );
}

const loadPicker = () => import("./range-picker");

/** A span of days, kept in the URL as `from` and `to`. `fallback` applies without one. */
export function FilterRange({
  label,
  fallback = { from: "", to: "" },
  hideLabel,
}: Pick<FilterField, "label" | "hideLabel"> & { fallback?: Span }) {
  const id = useId();
  const { get, set } = useUrlFilters();
  const { part, want, warm } = useLoaded(loadPicker);
  const text = useSpanText(hideLabel);
  const span = { from: get("from") || fallback.from, to: get("to") || fallback.to };
  const button = (
    <button
      type="button"
      id={id}
      aria-labelledby={`${id}-label ${id}`}
      aria-haspopup="dialog"
      className="select"
      onClick={want}
      onPointerEnter={warm}
      onFocus={warm}
    >
      <span suppressHydrationWarning>{text(span)}</span>
      <CalendarDaysIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
    </button>
  );
  return (
    <div className="filter">
      <label id={`${id}-label`} htmlFor={id} className={hideLabel ? "sr-only" : undefined}>
        {label}
      </label>
      {part ? (
        <part.RangePicker
          span={span}
          onChoose={({ from, to }) => set({ from: from || null, to: to || null })}
          required={fallback.from !== ""}
        >
          {button}
        </part.RangePicker>
      ) : (
        button
      )}
    </div>
  );
}

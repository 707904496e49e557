"use client";

import { XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { FilterField } from "./filter-fields";
import { useSpanText } from "./spans";
import { useUrlFilters } from "./url-filters";

/** A filter in words: "Customer: Layla". `name` is its parameter. */
export type Chip = { name: string; label: string; value: string };

/** The active filters. Each has a button that removes it, and one more button removes all. */
export function FilterChips({
  fields,
  range,
  chips,
  clear,
}: {
  fields: readonly FilterField[];
  range: string | undefined;
  chips: readonly Chip[];
  clear: () => void;
}) {
  const t = useTranslations("list");
  const { get, set } = useUrlFilters();
  const span = useSpanText();
  const [from, to] = [get("from"), get("to")];
  const shown = [
    ...chips
      .filter(({ name }) => get(name) !== "")
      .map(({ name, label, value }) => ({ label, value, patch: { [name]: null } })),
    ...(range && (from || to)
      ? [{ label: range, value: span({ from, to }), patch: { from: null, to: null } }]
      : []),
    ...fields.flatMap(({ name, label, options, clears = [] }) => {
      const option = options.find(({ value }) => value === get(name));
      const patch = Object.fromEntries([name, ...clears].map((key) => [key, null]));
      return option ? [{ label, value: option.label, patch }] : [];
    }),
  ];
  if (shown.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label={t("filtered")}>
      {shown.map(({ label, value, patch }) => (
        <li key={label} className="chip">
          <span className="truncate">
            {label}: <bdi>{value}</bdi>
          </span>
          <button type="button" aria-label={t("removeFilter", { name: label })} onClick={() => set(patch)}>
            <XIcon className="size-3.5" aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="chip-clear" onClick={clear}>
          {t("clearFilters")}
        </button>
      </li>
    </ul>
  );
}

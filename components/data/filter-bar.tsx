"use client";

import { SlidersHorizontalIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { cn } from "@/components/ui/utils";
import { type Chip, FilterChips } from "./filter-chips";
import { FilterRange, type FilterSet } from "./filter-fields";
import { saveListQuery } from "./list-query";
import { SearchInput } from "./search-input";
import { useUrlFilters } from "./url-filters";

const loadSheet = () => import("./filter-sheet");

/**
 * The filters of a list, kept in the URL: a button opens them, and chips beside it name those that are set. `children` are
 * further filters, always in the row.
 */
export function FilterBar({
  search,
  fields = [],
  range,
  span,
  sort,
  chips = [],
  names = [],
  actions,
  className,
  children,
}: FilterSet & {
  /** The label of a search field. */
  search?: string;
  /** Filters that have no control here, such as the customer that a link names. */
  chips?: readonly Chip[];
  /** The parameters of `children`. */
  names?: readonly string[];
  /** Placed at the end: an export or an add button. */
  actions?: ReactNode;
  className?: string;
  children?: ReactNode;
}) {
  const t = useTranslations("list");
  const { path, params, get, set, pending } = useUrlFilters();
  useEffect(() => saveListQuery(path, params.toString()), [path, params]);
  const folded = [...fields.map(({ name }) => name), ...(range ? ["from", "to"] : [])];
  const all = [...(search ? ["search"] : []), ...folded, ...chips.map(({ name }) => name), ...names];
  const clear = () => set(Object.fromEntries(all.map((name) => [name, null])));
  const used = fields.filter(({ name }) => get(name) !== "").length + (get("from") || get("to") ? 1 : 0);
  // A span that always applies stands in the row; any other is a filter like the rest.
  const needed = range !== undefined && span !== undefined;
  const filters = { fields, sort, ...(needed ? {} : { range }) };
  const hidden = folded.length === 0 || (needed && fields.length === 0);
  return (
    <search className={cn("filter-bar", className)}>
      {search && (
        <SearchInput
          label={search}
          current={get("search")}
          pending={pending}
          onSearch={(term) => set({ search: term })}
          className="search"
        />
      )}
      {needed && <FilterRange label={range} fallback={span} hideLabel />}
      {(!hidden || sort) && (
        <div className={hidden ? "filter-button sort-only" : "filter-button"}>
          <DialogButton
            load={loadSheet}
            dialog={({ FilterSheet }, button) => (
              <FilterSheet {...filters} clear={used > 0 ? clear : null}>
                {button}
              </FilterSheet>
            )}
            variant="outline"
            className="w-full"
          >
            <SlidersHorizontalIcon aria-hidden /> {t("filters")}
            {used > 0 && <Badge variant="soft">{used}</Badge>}
          </DialogButton>
        </div>
      )}
      {children}
      <FilterChips fields={fields} range={needed ? undefined : range} chips={chips} clear={clear} />
      {actions && <div className="filter-actions">{actions}</div>}
    </search>
  );
}

/** Shows the list without its filters: the way on from a list where nothing matches. */
export function ClearFilters() {
  const t = useTranslations("list");
  const { path, navigate } = useUrlFilters();
  return (
    <Button variant="outline" onClick={() => navigate(path)}>
      <XIcon aria-hidden /> {t("clearFilters")}
    </Button>
  );
}

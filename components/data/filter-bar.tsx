"use client";

import { SlidersHorizontalIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { cn } from "@/components/ui/utils";
import { type Chip, FilterChips } from "./filter-chips";
import { FilterRange, FilterSelect, type FilterSet } from "./filter-fields";
import { saveListQuery } from "./list-query";
import { SearchInput } from "./search-input";
import { useUrlFilters } from "./url-filters";

const loadSheet = () => import("./filter-sheet");

/**
 * The filters of a list, kept in the URL: a row of them, or on a phone a button that opens them as a sheet. Below it
 * chips name what is filtered. `children` are further filters, always in the row.
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
  const filters = { fields, range, span, sort };
  const used = fields.filter(({ name }) => get(name) !== "").length + (get("from") || get("to") ? 1 : 0);
  // More than four filters get a row of their own, however wide their values are.
  const crowded = fields.length > 4;
  const empty = !search && folded.length === 0 && !sort && !children && !actions;
  return (
    <search className={cn("mb-4 flex flex-col gap-3", className)}>
      {!empty && (
        <div className="flex flex-wrap items-end gap-3">
          {search && (
            <SearchInput
              label={search}
              current={get("search")}
              pending={pending}
              onSearch={(term) => set({ search: term })}
              // The search field takes the remaining width, so that its placeholder fits.
              className={cn(
                "w-full sm:w-64 sm:max-w-120 sm:grow",
                crowded &&
                  "@min-[900px]/frame:order-[-2] @min-[900px]/frame:w-160 @min-[900px]/frame:max-w-none @min-[900px]/frame:grow-0",
              )}
            />
          )}
          {(folded.length > 0 || sort) && (
            <div className="filter-button">
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
          <div className="filter-row">
            {range && <FilterRange label={range} fallback={span} />}
            {fields.map((field) => (
              <FilterSelect key={field.name} {...field} />
            ))}
          </div>
          {children}
          {actions && (
            <div
              className={cn(
                // Several buttons have a row of their own on a phone.
                "ms-auto flex flex-wrap gap-2 has-[>:nth-child(2)]:max-sm:basis-full max-sm:*:flex-1",
                folded.length > 0 ? "max-sm:flex-1" : "max-sm:w-full",
                crowded &&
                  "@min-[900px]/frame:order-[-1] @min-[900px]/frame:basis-[calc(100%-42rem)] @min-[900px]/frame:justify-end",
              )}
            >
              {actions}
            </div>
          )}
        </div>
      )}
      <FilterChips fields={fields} range={range} chips={chips} clear={clear} searched={Boolean(search)} />
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

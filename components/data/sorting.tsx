"use client";

import { ArrowDownIcon, ArrowUpIcon, ChevronsUpDownIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { Label } from "@/components/ui/label";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { cn } from "@/components/ui/utils";
import { ariaSort, type ListOrder, nextSort } from "./order";
import { useUrlFilters } from "./url-filters";

const SORT_PARAM = "sort";

/** A column's head that sorts the list by it. */
export function SortLink({
  field,
  order,
  children,
}: {
  field: string;
  order: ListOrder;
  children: ReactNode;
}) {
  const { hrefWith, go } = useUrlFilters();
  const sort = nextSort(field, order);
  const href = hrefWith({ [SORT_PARAM]: sort === order.fallback ? null : sort });
  const state = ariaSort(field, order);
  const Arrow = state === "ascending" ? ArrowUpIcon : state ? ArrowDownIcon : ChevronsUpDownIcon;
  return (
    <Link
      href={href}
      replace
      scroll={false}
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault();
        go(href);
      }}
      className={cn(
        "-mx-2 inline-flex h-8 items-center gap-1 rounded-md px-2 hover:bg-muted hover:text-foreground",
        state && "text-foreground",
      )}
    >
      {children}
      <Arrow className={cn("size-3.5", !state && "opacity-50")} aria-hidden />
    </Link>
  );
}

/** A field that a list can be sorted by: a name with the label of its column, or a time. */
export type SortField = { field: string; label: string } | { field: string; time: true };

/** The orders of a list to choose from, where its columns have no heads: on a phone. */
export function FilterSort({
  order: { current, fallback },
  fields,
}: {
  order: ListOrder;
  fields: readonly SortField[];
}) {
  const t = useTranslations("list");
  const id = useId();
  const { set } = useUrlFilters();
  const options = fields.flatMap((one) =>
    "time" in one
      ? [
          { value: `-${one.field}`, label: t("order.newest") },
          { value: one.field, label: t("order.oldest") },
        ]
      : [
          { value: one.field, label: t("order.up", { name: one.label }) },
          { value: `-${one.field}`, label: t("order.down", { name: one.label }) },
        ],
  );
  return (
    <div data-slot="filter" className="flex min-w-36 flex-col gap-1 max-sm:flex-1 md:hidden">
      <Label htmlFor={id} className="text-muted-foreground text-xs">
        {t("sortBy")}
      </Label>
      <Select
        value={current}
        onValueChange={(value) => set({ [SORT_PARAM]: value === fallback ? null : value })}
      >
        <SelectTrigger id={id}>
          {/* Named here, so that it stands before any script has run. */}
          <SelectValue>{options.find(({ value }) => value === current)?.label}</SelectValue>
        </SelectTrigger>
        <SelectContent>
          {options.map(({ value, label }) => (
            <SelectItem key={value} value={value}>
              {label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}

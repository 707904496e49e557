"use client";

import { ArrowDownIcon, ArrowUpIcon, ChevronsUpDownIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { OptionSelect } from "@/components/ui/select";
import { cn } from "@/components/ui/utils";
import { ariaSort, type ListOrder, nextSort } from "./order";
import { useUrlFilters } from "./url-filters";

/** A column header that sorts the list. */
export function SortLink({
  field,
  order,
  children,
}: {
  field: string;
  order: ListOrder;
  children: ReactNode;
}) {
  const { hrefWith, linkTo } = useUrlFilters();
  const sort = nextSort(field, order);
  const href = hrefWith({ sort: sort === order.fallback ? null : sort });
  const state = ariaSort(field, order);
  const Arrow = state === "ascending" ? ArrowUpIcon : state ? ArrowDownIcon : ChevronsUpDownIcon;
  return (
    <Link
      {...linkTo(href)}
      prefetch={false}
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

/** The orders of a list: by the time of its rows, and by the fields in `by`. */
export type ListSort = {
  order: ListOrder;
  time: string;
  by?: readonly (readonly [field: string, label: string])[];
  /** The label of the default order, where that is by none of these fields. */
  otherwise?: string | undefined;
};

/** A select of the list's orders, for where its columns have no headers. */
export function FilterSort({ order: { current, fallback }, time, by = [], otherwise }: ListSort) {
  const t = useTranslations("list");
  const id = useId();
  const { set } = useUrlFilters();
  const options = [
    ...(otherwise ? [{ value: fallback, label: otherwise }] : []),
    { value: `-${time}`, label: t("order.newest") },
    { value: time, label: t("order.oldest") },
    ...by.flatMap(([field, name]) => [
      { value: field, label: t("order.up", { name }) },
      { value: `-${field}`, label: t("order.down", { name }) },
    ]),
  ];
  return (
    <div className="filter">
      <label htmlFor={id}>{t("sortBy")}</label>
      <OptionSelect
        id={id}
        value={current}
        options={options}
        onChange={(value) => set({ sort: value === fallback ? null : value })}
      />
    </div>
  );
}

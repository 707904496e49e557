"use client";

import { SlidersHorizontalIcon, XIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Children, type ReactNode, useEffect, useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { LazySelect } from "@/components/ui/lazy-select";
import { cn } from "@/components/ui/utils";
import { saveListQuery } from "./list-query";
import { SearchInput } from "./search-input";
import { useUrlFilters } from "./url-filters";

/**
 * A row of filters, kept in the URL. `names` are their parameters; if any is set, a button clears them all. With `fold`,
 * a phone hides them behind a button that counts those in use.
 */
export function FilterBar({
  names,
  children,
  actions,
  fold = false,
  className,
}: {
  names: readonly string[];
  children: ReactNode;
  fold?: boolean;
  /** Placed at the end: an export or an add button. */
  actions?: ReactNode;
  className?: string;
}) {
  const t = useTranslations("list");
  const { path, params, get, set } = useUrlFilters();
  useEffect(() => saveListQuery(path, params.toString()), [path, params]);
  const [open, setOpen] = useState(false);
  const active = names.some((name) => get(name) !== "");
  const [first, ...rest] = Children.toArray(children);
  const used = names.filter((name) => name !== "search" && get(name) !== "").length;
  return (
    <search
      className={cn(
        "mb-4 flex flex-wrap items-end gap-3",
        fold && !open && "max-sm:[&>[data-slot=filter]]:hidden",
        className,
      )}
    >
      {first}
      {fold && (
        <Button
          variant="outline"
          className="flex-1 sm:hidden"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontalIcon aria-hidden /> {t("filters")}
          {used > 0 && <Badge variant="soft">{used}</Badge>}
        </Button>
      )}
      {rest}
      {active && (
        <Button
          variant="ghost"
          className="text-muted-foreground"
          onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}
        >
          <XIcon aria-hidden /> {t("clearFilters")}
        </Button>
      )}
      {actions && (
        <div
          className={cn(
            "ms-auto flex flex-wrap gap-2 max-sm:*:flex-1",
            fold ? "max-sm:flex-1" : "max-sm:w-full",
          )}
        >
          {actions}
        </div>
      )}
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

/** A search field, kept in the URL. */
export function FilterSearch({
  label,
  name = "search",
  className,
}: {
  label: string;
  name?: string;
  className?: string;
}) {
  const { get, set, pending } = useUrlFilters();
  return (
    <SearchInput
      label={label}
      current={get(name)}
      pending={pending}
      onSearch={(term) => set({ [name]: term })}
      className={cn("w-full sm:w-72", className)}
    />
  );
}

const ALL = "__all";

/** A select with an option for all, kept in the URL. `clears` are filters that depend on this one. */
export function FilterSelect({
  name,
  label,
  options,
  clears = [],
  className,
}: {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  clears?: readonly string[];
  className?: string;
}) {
  const t = useTranslations("list");
  const id = useId();
  const { get, set } = useUrlFilters();
  return (
    <div data-slot="filter" className={cn("flex min-w-36 flex-col gap-1 max-sm:flex-1", className)}>
      <Label htmlFor={id} className="text-muted-foreground text-xs">
        {label}
      </Label>
      <LazySelect
        id={id}
        value={get(name) || ALL}
        options={[{ value: ALL, label: t("all") }, ...options]}
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

/** A day (YYYY-MM-DD), kept in the URL. `fallback` is the day that applies without one. */
export function FilterDate({
  name,
  label,
  fallback = "",
  className,
}: {
  name: string;
  label: string;
  fallback?: string;
  className?: string;
}) {
  const id = useId();
  const { get, set } = useUrlFilters();
  return (
    <div data-slot="filter" className={cn("flex min-w-36 flex-col gap-1 max-sm:flex-1", className)}>
      <Label htmlFor={id} className="text-muted-foreground text-xs">
        {label}
      </Label>
      <Input
        id={id}
        type="date"
        value={get(name) || fallback}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </div>
  );
}

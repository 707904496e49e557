"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import {
  Sheet,
  SheetContent,
  SheetFooter,
  SheetHeader,
  SheetTitle,
  SheetTrigger,
} from "@/components/ui/sheet";
import { Spinner } from "@/components/ui/spinner";
import { FilterRange, FilterSelect, type FilterSet } from "./filter-fields";
import { useListFrame } from "./list-frame";
import { FilterSort } from "./sorting";

/** The filters of a phone, each at work as soon as it is chosen. Open at first; `children` is its button. */
export function FilterSheet({
  fields = [],
  range,
  span,
  sort,
  clear,
  children,
}: FilterSet & { clear: (() => void) | null; children: ReactNode }) {
  const t = useTranslations("list");
  const [open, setOpen] = useState(true);
  const { pending, count } = useListFrame();
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>{children}</SheetTrigger>
      <SheetContent side="bottom" aria-describedby={undefined} className="mx-auto max-w-2xl">
        <SheetHeader className="pb-0">
          <SheetTitle>{t("filters")}</SheetTitle>
        </SheetHeader>
        <div className="grid grid-cols-2 gap-3 px-5">
          {range && <FilterRange label={range} fallback={span} />}
          {fields.map((field) => (
            <FilterSelect key={field.name} {...field} />
          ))}
          {sort && <FilterSort {...sort} />}
        </div>
        <SheetFooter className="flex-row">
          {clear && (
            <Button variant="outline" size="lg" onClick={clear}>
              {t("clearFilters")}
            </Button>
          )}
          <Button size="lg" className="flex-1" onClick={() => setOpen(false)}>
            {pending && <Spinner />}
            {count === null ? t("show") : t("showCount", { count })}
          </Button>
        </SheetFooter>
      </SheetContent>
    </Sheet>
  );
}

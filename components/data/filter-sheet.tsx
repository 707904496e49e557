"use client";

import { useTranslations } from "next-intl";
import { Popover } from "radix-ui";
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

// A desk or a tablet has room for the filters below their button; a phone, upright or on its side, has a sheet.
const ROOMY = "(width >= 40rem) and (height >= 32rem)";

type Props = FilterSet & { clear: (() => void) | null; children: ReactNode };

/** The filters of a list, each at work as soon as it is chosen. Open at first; `children` is its button. */
export function FilterSheet(props: Props) {
  const t = useTranslations("list");
  const [open, setOpen] = useState(true);
  const [isRoomy] = useState(() => window.matchMedia(ROOMY).matches);
  const close = () => setOpen(false);
  if (isRoomy) {
    return (
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>{props.children}</Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-label={t("filters")}
            className="z-50 flex max-h-(--radix-popover-content-available-height) w-108 flex-col gap-4 overflow-y-auto rounded-xl border bg-popover p-4 text-popover-foreground shadow-xl"
          >
            <Fields {...props} />
            <div className="flex gap-2">
              <Buttons clear={props.clear} close={close} />
            </div>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    );
  }
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>{props.children}</SheetTrigger>
      <SheetContent side="bottom" aria-describedby={undefined} className="mx-auto max-w-2xl">
        <SheetHeader className="pb-0">
          <SheetTitle>{t("filters")}</SheetTitle>
        </SheetHeader>
        <div className="px-5">
          <Fields {...props} />
        </div>
        <SheetFooter className="flex-row">
          <Buttons clear={props.clear} close={close} />
        </SheetFooter>
      </SheetContent>
    </Sheet>
  );
}

function Fields({ fields = [], range, span, sort }: Props) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {range && <FilterRange label={range} fallback={span} />}
      {fields.map((field) => (
        <FilterSelect key={field.name} {...field} />
      ))}
      {sort && <FilterSort {...sort} />}
    </div>
  );
}

function Buttons({ clear, close }: { clear: Props["clear"]; close: () => void }) {
  const t = useTranslations("list");
  const { pending, count } = useListFrame();
  return (
    <>
      {clear && (
        <Button variant="outline" size="lg" onClick={clear}>
          {t("clearFilters")}
        </Button>
      )}
      <Button size="lg" className="flex-1" onClick={close}>
        {pending && <Spinner />}
        {count === null ? t("show") : t("showCount", { count })}
      </Button>
    </>
  );
}

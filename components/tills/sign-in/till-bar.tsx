"use client";

import { ArrowLeftRightIcon, CircleAlertIcon, ClockIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { ShopMark } from "@/components/layout/shop-mark";
import { Button } from "@/components/ui/button";
import { cn, noteStyle } from "@/components/ui/utils";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime, formatTime, qatarDay } from "@/lib/domain/time";
import { type OwnTill, shopOf } from "./own-till";

const SHIFT_PAGE = "/employee/shift";

/** The time of the day; with the date if it was not today. */
function sinceWhen(openedAt: Date, locale: Locale): string {
  const format = qatarDay(openedAt) === qatarDay(new Date()) ? formatTime : formatDateTime;
  return format(openedAt, locale);
}

/**
 * The shop on its banknote, the cashier at this till and the state of its shift, with a button to change the cashier.
 */
export function TillBar({ name, till, onChange }: { name: string; till: OwnTill; onChange: () => void }) {
  const t = useTranslations("atTill");
  const locale = useLocale();
  const path = usePathname();
  const { shift } = till;
  const shop = shopOf(till, locale);
  const { note } = shop;
  return (
    <section
      aria-label={t("cashier")}
      className="mb-4 overflow-hidden rounded-xl border bg-card shadow-card landscape-phone:mb-3 print:hidden"
    >
      <div
        className={cn(
          "flex items-center gap-3 bg-center bg-cover py-2 ps-3 pe-2 landscape-phone:py-1",
          note ? "text-white" : "text-muted-foreground",
        )}
        style={note && noteStyle(note)}
      >
        <ShopMark shop={shop} />
        <div className="min-w-0 flex-1 leading-tight">
          <p className="truncate text-xs">
            <bdi>{shop.name}</bdi>
          </p>
          <bdi className={cn("wrap-anywhere line-clamp-2 font-medium", !note && "text-foreground")}>
            {name}
          </bdi>
          <p className="flex flex-wrap gap-x-2 text-xs">
            <bdi className="truncate">{till.name}</bdi>
            {shift && (
              <span className="flex items-center gap-1 whitespace-nowrap">
                <ClockIcon className="size-3.5 shrink-0" aria-hidden />
                {t("shiftSince", { time: sinceWhen(new Date(shift.openedAt), locale) })}
              </span>
            )}
          </p>
        </div>
        <Button variant="outline" className="text-foreground max-sm:px-3" onClick={onChange}>
          <ArrowLeftRightIcon className="max-sm:hidden" aria-hidden /> {t("change")}
        </Button>
      </div>
      {!shift && (
        <p
          role="status"
          className="flex min-h-11 flex-wrap items-center gap-x-2 border-warning/50 border-t bg-warning-soft px-3 font-medium text-sm text-warning-strong"
        >
          <CircleAlertIcon className="size-4 shrink-0" aria-hidden />
          <span className="flex-1">{t("noShift")}</span>
          {path !== SHIFT_PAGE && (
            <Link
              href={SHIFT_PAGE}
              className="inline-flex min-h-11 items-center underline underline-offset-4"
            >
              {t("openShift")}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

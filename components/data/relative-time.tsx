"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
import { cn } from "@/components/ui/utils";
import type { Locale } from "@/lib/domain/roles";
import { formatDateTime, relativeAge } from "@/lib/domain/time";

const REFRESH_MS = 30_000;

/** "5m ago", updated every 30 seconds; shows the exact Qatar time on hover or tap. */
export function RelativeTime({ date, className }: { date: Date | string; className?: string }) {
  const moment = new Date(date);
  const t = useTranslations("time");
  const locale = useLocale() as Locale;
  const [now, setNow] = useState(() => new Date());
  const [open, setOpen] = useState(false);
  useEffect(() => {
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const { count, unit } = relativeAge(moment, now);
  return (
    <Tooltip open={open} onOpenChange={setOpen}>
      <TooltipTrigger asChild>
        <button
          type="button"
          // A list would have a tab stop in each row; the row leads to the exact time.
          tabIndex={-1}
          onClick={() => setOpen(true)}
          className={cn("relative z-1 cursor-help whitespace-nowrap rounded-xs tabular-nums", className)}
        >
          <time dateTime={moment.toISOString()} suppressHydrationWarning>
            {t(unit, { count })}
          </time>
        </button>
      </TooltipTrigger>
      <TooltipContent>{formatDateTime(moment, locale)}</TooltipContent>
    </Tooltip>
  );
}

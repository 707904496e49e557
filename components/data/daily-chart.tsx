"use client";

import { ChartColumnIcon, TableIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { useLoaded } from "@/components/ui/use-loaded";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { direction } from "@/lib/domain/roles";
import { formatDay } from "@/lib/domain/time";
import type { DailyChartProps } from "./day-chart";

type ChartProps<S extends string> = DailyChartProps<S> & {
  /** On a phone, shows a week at a time, the latest first; the others are a swipe away. */
  swipe?: boolean;
};

/** Amounts per day as a chart or a table. */
export function DailyChart<S extends string>({ actions, ...props }: ChartProps<S> & { actions?: ReactNode }) {
  const t = useTranslations("stats");
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartColumnIcon : TableIcon;
  return (
    <section aria-label={props.title} className="rounded-xl border bg-card p-4 shadow-card sm:p-5">
      <div className="-mt-1 mb-3 flex items-center justify-between gap-2">
        <h2 className="min-w-0 flex-1 font-semibold">{props.title}</h2>
        {actions}
        <Button variant="ghost" size="sm" onClick={() => setAsTable(!asTable)}>
          <Icon aria-hidden />
          <span className="max-sm:sr-only">{asTable ? t("asChart") : t("asTable")}</span>
        </Button>
      </div>
      {asTable ? <DayTable {...props} /> : <ChartPart {...props} />}
    </section>
  );
}

const loadChart = () => import("./day-chart");

/** The series' names, and the chart once its library is there: the page does not wait for it. */
function ChartPart<S extends string>({ swipe, ...props }: ChartProps<S>) {
  const rtl = direction(useLocale()) === "rtl";
  const { part, want } = useLoaded(loadChart);
  useEffect(want, [want]);
  const keys = Object.keys(props.series) as S[];
  return (
    <>
      <ul className="mb-3 flex flex-wrap gap-4 text-muted-foreground text-xs">
        {keys.map((key) => (
          <li key={key} className="flex items-center gap-2">
            <span className="size-2.5 rounded-xs" style={{ background: props.series[key].color }} />{" "}
            {props.series[key].label}
          </li>
        ))}
      </ul>
      {part ? (
        <div
          className={swipe ? "max-sm:overflow-x-auto max-sm:overscroll-x-contain" : undefined}
          // A scroll container first shows the start of its direction: in the opposite direction, the latest days.
          dir={rtl ? "ltr" : "rtl"}
        >
          <div className={swipe ? "max-sm:w-[400%]" : undefined}>
            <part.DayChart {...props} />
          </div>
        </div>
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </>
  );
}

function DayTable<S extends string>({ days, series, title, unit }: DailyChartProps<S>) {
  const t = useTranslations("stats");
  const locale = useLocale();
  const keys = Object.keys(series) as S[];
  return (
    <div className="max-h-80 overflow-y-auto rounded-lg border">
      <Table
        aria-label={title}
        head={
          <>
            <TableHead>{t("day")}</TableHead>
            {keys.map((key) => (
              <TableHead key={key} className="text-end rtl:text-start">
                {series[key].label}
              </TableHead>
            ))}
          </>
        }
      >
        {[...days].reverse().map((one) => (
          <TableRow key={one.day}>
            <TableCell>{formatDay(one.day, locale)}</TableCell>
            {keys.map((key) => (
              <TableCell key={key} className="text-end tabular-nums rtl:text-start">
                {unit === "qar" ? formatQar(cashValue(one[key], 1), locale) : formatPoints(one[key], locale)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </Table>
    </div>
  );
}

"use client";

import { ChartColumnIcon, TableIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Area, Bar, CartesianGrid, ComposedChart, XAxis, YAxis } from "recharts";
import { Button } from "@/components/ui/button";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "@/components/ui/chart";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "@/components/ui/table";
import { formatCount, formatPoints } from "@/lib/domain/money";
import { direction, type Locale } from "@/lib/domain/roles";
import { formatShortDate } from "@/lib/domain/time";

/** A day (YYYY-MM-DD) and its points in each series. */
type DayOf<S extends string> = { day: string } & Record<S, number>;

type DailyChartProps<S extends string> = {
  /** Oldest first. */
  days: readonly DayOf<NoInfer<S>>[];
  series: Record<S, ChartConfig[string]>;
  /** Bars side by side for what happened on a day, stacked areas for what stood at its end. */
  kind: "bars" | "areas";
  title: string;
  /** What the chart shows, for screen readers. */
  label: string;
};

/** Points per day as a chart or a table. */
export function DailyChart<S extends string>(props: DailyChartProps<S>) {
  const t = useTranslations("stats");
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartColumnIcon : TableIcon;
  return (
    <section aria-label={props.title} className="rounded-xl border bg-card p-4 shadow-card sm:p-5">
      <div className="-mt-1 mb-3 flex items-center justify-between gap-2">
        <h2 className="min-w-0 font-semibold">{props.title}</h2>
        <Button variant="ghost" size="sm" onClick={() => setAsTable(!asTable)}>
          <Icon aria-hidden />
          <span className="max-sm:sr-only">{asTable ? t("asChart") : t("asTable")}</span>
        </Button>
      </div>
      {asTable ? <DayTable {...props} /> : <DayChart {...props} />}
    </section>
  );
}

function DayChart<S extends string>({ days, series, kind, label }: DailyChartProps<S>) {
  const locale = useLocale() as Locale;
  const rtl = direction(locale) === "rtl";
  const keys = Object.keys(series) as S[];
  return (
    <>
      <ul className="mb-3 flex flex-wrap gap-4 text-muted-foreground text-xs">
        {keys.map((key) => (
          <li key={key} className="flex items-center gap-2">
            <span className="size-2.5 rounded-xs" style={{ background: series[key].color }} />{" "}
            {series[key].label}
          </li>
        ))}
      </ul>
      <ChartContainer config={series} role="img" aria-label={label}>
        <ComposedChart
          data={[...days]}
          barGap={1}
          barCategoryGap="22%"
          margin={{ top: 10, bottom: 0, left: 0, right: 0 }}
        >
          <CartesianGrid vertical={false} strokeDasharray="3 3" />
          <XAxis
            dataKey="day"
            reversed={rtl}
            // The chart is drawn left to right; the isolate keeps an Arabic date right to left.
            tickFormatter={(day: string) =>
              rtl ? `\u2067${formatShortDate(day, locale)}\u2069` : formatShortDate(day, locale)
            }
            tickLine={false}
            axisLine={false}
            minTickGap={28}
          />
          <YAxis
            orientation={rtl ? "right" : "left"}
            width={56}
            tickFormatter={(value: number) => formatCount(Math.round(value))}
            tickLine={false}
            axisLine={false}
            allowDecimals={false}
          />
          <ChartTooltip
            cursor={kind === "bars" ? { fill: "var(--muted)" } : { stroke: "var(--border)" }}
            content={({ active, payload, label: day }) => (
              <ChartTooltipContent
                active={active}
                payload={payload}
                label={day === undefined ? "" : formatShortDate(String(day), locale)}
                dir={direction(locale)}
                format={(value) => formatPoints(value, locale)}
              />
            )}
          />
          {keys.map((key) =>
            kind === "bars" ? (
              <Bar
                key={key}
                dataKey={key}
                fill={`var(--color-${key})`}
                radius={[3, 3, 0, 0]}
                isAnimationActive={false}
              />
            ) : (
              <Area
                key={key}
                // A balance stays as it is until the next day's end.
                type="stepAfter"
                dataKey={key}
                stackId="held"
                stroke={`var(--color-${key})`}
                fill={`var(--color-${key})`}
                fillOpacity={0.35}
                isAnimationActive={false}
              />
            ),
          )}
        </ComposedChart>
      </ChartContainer>
    </>
  );
}

function DayTable<S extends string>({ days, series, title }: DailyChartProps<S>) {
  const t = useTranslations("stats");
  const locale = useLocale() as Locale;
  const keys = Object.keys(series) as S[];
  return (
    <div className="max-h-80 overflow-y-auto rounded-lg border">
      <Table>
        <TableCaption className="sr-only">{title}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead>{t("day")}</TableHead>
            {keys.map((key) => (
              <TableHead key={key} className="text-end">
                {series[key].label}
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {[...days].reverse().map((one) => (
            <TableRow key={one.day}>
              <TableCell>{formatShortDate(one.day, locale)}</TableCell>
              {keys.map((key) => (
                <TableCell key={key} className="text-end tabular-nums">
                  {formatPoints(one[key], locale)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

"use client";

import { ChartColumnIcon, TableIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Bar, BarChart, CartesianGrid, XAxis, YAxis } from "recharts";
import { Button } from "@/components/ui/button";
import { ChartContainer, ChartTooltip, ChartTooltipContent } from "@/components/ui/chart";
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

export type DaySums = { /** YYYY-MM-DD */ day: string; toppedUp: number; redeemed: number };

/** Top-ups and redemptions per day, in points, as a chart or a table. `days` are oldest first. */
export function TrendChart({ days, title }: { days: readonly DaySums[]; title: string }) {
  const t = useTranslations("stats");
  const [asTable, setAsTable] = useState(false);
  const Icon = asTable ? ChartColumnIcon : TableIcon;
  return (
    <section aria-label={title} className="rounded-xl border bg-card p-4 shadow-card sm:p-5">
      <div className="-mt-1 mb-3 flex items-center justify-between gap-2">
        <h2 className="min-w-0 font-semibold">{title}</h2>
        <Button variant="ghost" size="sm" onClick={() => setAsTable(!asTable)}>
          <Icon aria-hidden />
          <span className="max-sm:sr-only">{asTable ? t("asChart") : t("asTable")}</span>
        </Button>
      </div>
      {asTable ? <DayTable days={days} title={title} /> : <DayChart days={days} />}
    </section>
  );
}

function DayChart({ days }: { days: readonly DaySums[] }) {
  const t = useTranslations("stats");
  const locale = useLocale() as Locale;
  const config = {
    toppedUp: { label: t("toppedUp"), color: "var(--chart-1)" },
    redeemed: { label: t("redeemed"), color: "var(--chart-2)" },
  };
  const rtl = direction(locale) === "rtl";
  return (
    <>
      <ul className="mb-3 flex flex-wrap gap-4 text-muted-foreground text-xs">
        {Object.entries(config).map(([key, series]) => (
          <li key={key} className="flex items-center gap-2">
            <span className="size-2.5 rounded-xs" style={{ background: series.color }} /> {series.label}
          </li>
        ))}
      </ul>
      <ChartContainer config={config} role="img" aria-label={t("chartLabel")}>
        <BarChart
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
            width={48}
            tickFormatter={(value: number) => formatCount(Math.round(value))}
            tickLine={false}
            axisLine={false}
            allowDecimals={false}
          />
          <ChartTooltip
            cursor={{ fill: "var(--muted)" }}
            content={({ active, payload, label }) => (
              <ChartTooltipContent
                active={active}
                payload={payload}
                label={label === undefined ? "" : formatShortDate(String(label), locale)}
                dir={direction(locale)}
                format={(value) => formatPoints(value, locale)}
              />
            )}
          />
          <Bar
            dataKey="toppedUp"
            fill="var(--color-toppedUp)"
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
          <Bar
            dataKey="redeemed"
            fill="var(--color-redeemed)"
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
        </BarChart>
      </ChartContainer>
    </>
  );
}

function DayTable({ days, title }: { days: readonly DaySums[]; title: string }) {
  const t = useTranslations("stats");
  const locale = useLocale() as Locale;
  return (
    <div className="max-h-80 overflow-y-auto rounded-lg border">
      <Table>
        <TableCaption className="sr-only">{title}</TableCaption>
        <TableHeader>
          <TableRow>
            <TableHead>{t("day")}</TableHead>
            <TableHead className="text-end">{t("toppedUp")}</TableHead>
            <TableHead className="text-end">{t("redeemed")}</TableHead>
          </TableRow>
        </TableHeader>
        <TableBody>
          {[...days].reverse().map((day) => (
            <TableRow key={day.day}>
              <TableCell>{formatShortDate(day.day, locale)}</TableCell>
              <TableCell className="text-end tabular-nums">{formatPoints(day.toppedUp, locale)}</TableCell>
              <TableCell className="text-end tabular-nums">{formatPoints(day.redeemed, locale)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

"use client";

import { useLocale } from "next-intl";
import { Area, Bar, CartesianGrid, Cell, ComposedChart, XAxis, YAxis } from "recharts";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "@/components/ui/chart";
import { cashValue, formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import { direction } from "@/lib/domain/roles";
import { formatShortDate } from "@/lib/domain/time";

/** A day (YYYY-MM-DD) and its value in each series. */
type DayOf<S extends string> = { day: string } & Record<S, number>;

export type DailyChartProps<S extends string> = {
  /** Oldest first. */
  days: readonly DayOf<NoInfer<S>>[];
  series: Record<S, ChartConfig[string]>;
  /** Bars side by side for what happened on a day, stacked areas for what stood at its end. */
  kind: "bars" | "areas";
  title: string;
  /** The content of the chart, for screen readers. */
  label: string;
  /** The unit of the values. With "qar" the values are dirhams. */
  unit?: "points" | "qar";
  /** The days that the page is about; the bars of the others are pale. */
  marked?: { from: string; to: string };
};

// Functions and no components: the chart looks for its parts among its direct children.
function barsOf(
  key: string,
  days: readonly { day: string }[],
  marked: { from: string; to: string } | undefined,
) {
  return (
    <Bar key={key} dataKey={key} fill={`var(--color-${key})`} radius={[3, 3, 0, 0]} isAnimationActive={false}>
      {marked &&
        days.map(({ day }) => (
          <Cell key={day} fillOpacity={day >= marked.from && day <= marked.to ? 1 : 0.3} />
        ))}
    </Bar>
  );
}

function areaOf(key: string) {
  return (
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
  );
}

/** Amounts per day, drawn. */
export function DayChart<S extends string>({ days, series, kind, label, unit, marked }: DailyChartProps<S>) {
  const locale = useLocale();
  const rtl = direction(locale) === "rtl";
  const keys = Object.keys(series) as S[];
  const shown = (value: number) => formatCount(Math.round(unit === "qar" ? value / 100 : value));
  // Areas are stacked.
  const heights = days.flatMap((day) => {
    const values = keys.map((key): number => day[key]);
    return kind === "areas" ? [values.reduce((sum, value) => sum + value, 0)] : values;
  });
  const highest = shown(Math.max(0, ...heights));
  return (
    <ChartContainer config={series} role="img" aria-label={label}>
      <ComposedChart
        data={[...days]}
        barGap={1}
        barCategoryGap="22%"
        // The last day's name is wider than its bars: half of the longest has to fit behind its point.
        margin={{ top: 10, bottom: 0, left: rtl ? 28 : 0, right: rtl ? 0 : 28 }}
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
          interval="equidistantPreserveEnd"
          minTickGap={28}
        />
        <YAxis
          orientation={rtl ? "right" : "left"}
          width={Math.max(56, 20 + 7 * highest.length)}
          tickFormatter={shown}
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
              format={(value) =>
                unit === "qar" ? formatQar(cashValue(value, 1), locale) : formatPoints(value, locale)
              }
            />
          )}
        />
        {keys.map((key) => (kind === "bars" ? barsOf(key, days, marked) : areaOf(key)))}
      </ComposedChart>
    </ChartContainer>
  );
}

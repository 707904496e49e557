"use client";

import { useLocale } from "next-intl";
import {
  Area,
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { cashValue, formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import { direction } from "@/lib/domain/roles";
import { formatDay, formatShortDate } from "@/lib/domain/time";

type Series = { label: string; color: string };

export type DailyChartProps<S extends string> = {
  /** Days (YYYY-MM-DD), oldest first, with their value in each series. */
  days: readonly ({ day: string } & Record<NoInfer<S>, number>)[];
  series: Record<S, Series>;
  /** Bars side by side for what happened on a day, stacked areas for what was there at its end. */
  kind: "bars" | "areas";
  title: string;
  label: string;
  /** The unit of the values. With "qar" the values are dirhams. */
  unit?: "points" | "qar";
  /** The days that the page is about; the bars of the others are pale. */
  marked?: { from: string; to: string };
};

// Functions and no components: the chart looks for its parts among its direct children.
function barsOf(
  key: string,
  color: string,
  { days, marked }: Pick<DailyChartProps<never>, "days" | "marked">,
) {
  return (
    <Bar key={key} dataKey={key} fill={color} radius={[3, 3, 0, 0]} isAnimationActive={false}>
      {marked &&
        days.map(({ day }) => (
          <Cell key={day} fillOpacity={day >= marked.from && day <= marked.to ? 1 : 0.3} />
        ))}
    </Bar>
  );
}

function areaOf(key: string, color: string) {
  return (
    <Area
      key={key}
      // A balance stays as it is until the next day's end.
      type="stepAfter"
      dataKey={key}
      stackId="held"
      stroke={color}
      fill={color}
      fillOpacity={0.35}
      isAnimationActive={false}
    />
  );
}

function DayTip({
  day,
  payload,
  series,
  shown,
}: Pick<TooltipContentProps, "payload"> & {
  day: string;
  series: Readonly<Record<string, Series>>;
  shown: (value: number) => string;
}) {
  const locale = useLocale();
  return (
    <div
      dir={direction(locale)}
      className="grid min-w-36 gap-1.5 rounded-md border bg-popover px-3 py-2 text-popover-foreground text-xs shadow-lg"
    >
      <p className="font-medium">{formatDay(day, locale)}</p>
      {payload.map(({ dataKey, value }) => (
        <p key={String(dataKey)} className="flex items-center gap-2">
          <span className="size-2.5 rounded-xs" style={{ background: series[String(dataKey)]?.color }} />
          <span className="text-muted-foreground">{series[String(dataKey)]?.label}</span>
          <span className="ms-auto ps-3 font-medium tabular-nums">{shown(Number(value))}</span>
        </p>
      ))}
    </div>
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
  const amount = (value: number) =>
    unit === "qar" ? formatQar(cashValue(value, 1), locale) : formatPoints(value, locale);
  return (
    <div
      data-slot="chart"
      dir="ltr"
      // A chart keeps its old width until it has measured a narrower place.
      className="h-64 w-full overflow-x-clip text-xs [&_.recharts-text]:fill-muted-foreground [&_.recharts-cartesian-grid_line]:stroke-border [&_.recharts-surface]:outline-none"
      role="img"
      aria-label={label}
    >
      <ResponsiveContainer initialDimension={{ width: 320, height: 200 }}>
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
          <Tooltip
            cursor={kind === "bars" ? { fill: "var(--muted)" } : { stroke: "var(--border)" }}
            content={({ active, payload, label: day }) =>
              active && payload.length > 0 ? (
                <DayTip day={String(day)} payload={payload} series={series} shown={amount} />
              ) : null
            }
          />
          {keys.map((key) =>
            kind === "bars"
              ? barsOf(key, series[key].color, { days, marked })
              : areaOf(key, series[key].color),
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

"use client";

import { type ComponentProps, type CSSProperties, createContext, type ReactNode, useContext } from "react";
import { ResponsiveContainer, Tooltip, type TooltipContentProps } from "recharts";

/** The label and colour of each series of a chart. The colour is a CSS value such as "var(--chart-1)". */
export type ChartConfig = Record<string, { label: string; color: string }>;

const ChartContext = createContext<ChartConfig>({});

/** Sizes a recharts chart and defines `var(--color-<series>)` for it. */
export function ChartContainer({
  config,
  children,
  ...props
}: ComponentProps<"div"> & {
  config: ChartConfig;
  children: ComponentProps<typeof ResponsiveContainer>["children"];
}) {
  const colours = Object.fromEntries(
    Object.entries(config).map(([key, series]) => [`--color-${key}`, series.color]),
  );
  return (
    <ChartContext value={config}>
      <div
        data-slot="chart"
        dir="ltr"
        style={colours as CSSProperties}
        // A chart keeps its old width until it has measured a narrower place.
        className="h-64 w-full overflow-x-clip text-xs [&_.recharts-text]:fill-muted-foreground [&_.recharts-cartesian-grid_line]:stroke-border [&_.recharts-surface]:outline-none"
        {...props}
      >
        <ResponsiveContainer initialDimension={{ width: 320, height: 200 }}>{children}</ResponsiveContainer>
      </div>
    </ChartContext>
  );
}

export const ChartTooltip = Tooltip;

type Value = number | string | readonly (number | string)[];

/** The body of a chart's tooltip: `<ChartTooltip content={(p) => <ChartTooltipContent {...p} format={…} />} />`. */
export function ChartTooltipContent({
  active,
  payload,
  label,
  format = String,
  dir,
}: Partial<TooltipContentProps<Value, string | number>> & {
  format?: (value: number) => ReactNode;
  dir?: "ltr" | "rtl";
}) {
  const config = useContext(ChartContext);
  if (!active || !payload?.length) return null;
  return (
    <div
      dir={dir}
      className="grid min-w-36 gap-1.5 rounded-md border bg-popover px-3 py-2 text-popover-foreground text-xs shadow-lg"
    >
      <p className="font-medium">{label}</p>
      {payload.map((item) => {
        const series = config[String(item.dataKey)];
        return (
          <p key={String(item.dataKey)} className="flex items-center gap-2">
            <span className="size-2.5 rounded-xs" style={{ background: series?.color ?? item.color }} />
            <span className="text-muted-foreground">{series?.label ?? item.name}</span>
            <span className="ms-auto ps-3 font-medium tabular-nums">{format(Number(item.value))}</span>
          </p>
        );
      })}
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { DailyChart } from "./daily-chart";

export type DaySums = { /** YYYY-MM-DD */ day: string; toppedUp: number; redeemed: number };

/** Top-ups and redemptions per day, in points, as a chart or a table. `days` are oldest first. */
export function TrendChart({ days, title }: { days: readonly DaySums[]; title: string }) {
  const t = useTranslations("stats");
  const series = {
    toppedUp: { label: t("toppedUp"), color: "var(--chart-1)" },
    redeemed: { label: t("redeemed"), color: "var(--chart-2)" },
  };
  return <DailyChart kind="bars" days={days} series={series} title={title} label={t("chartLabel")} />;
}

"use client";

import { useTranslations } from "next-intl";
import { DailyChart } from "@/components/data/daily-chart";
import { type LiabilityDay, SERIES_DAYS } from "@/lib/reports/model/liability";

/**
 * The points that customers held at the end of each day, paid and bonus, as a chart or a table. `days` begins
 * with the oldest day.
 */
export function LiabilityChart({ days }: { days: readonly LiabilityDay[] }) {
  const t = useTranslations("liability");
  const series = {
    paid: { label: t("paid"), color: "var(--chart-1)" },
    bonus: { label: t("bonus"), color: "var(--chart-2)" },
  };
  const title = days.length < SERIES_DAYS ? t("chart") : t("chartBounded", { count: SERIES_DAYS });
  return <DailyChart kind="areas" days={days} series={series} title={title} label={t("chartLabel")} />;
}

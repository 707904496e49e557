"use client";

import { useTranslations } from "next-intl";
import { ChoiceLinks } from "@/components/data/choice-links";
import { DailyChart } from "@/components/data/daily-chart";
import type { MoneyDay } from "@/lib/reports/model/owner-home";
import { useDaysText } from "./compared-with";

const UNITS = ["qar", "points"] as const;
export type ChartUnit = (typeof UNITS)[number];

type MoneyChartProps = {
  days: readonly MoneyDay[];
  unit: ChartUnit;
  marked?: { from: string; to: string };
};

/** The money taken and redeemed on each of the days, in QAR or points. `marked` are the days that the page is about. */
export function MoneyChart({ days, unit, marked }: MoneyChartProps) {
  const t = useTranslations("home");
  const text = useDaysText();
  const shown = days.map((one) =>
    unit === "qar"
      ? { day: one.day, taken: one.taken, redeemed: one.redeemed }
      : { day: one.day, taken: one.takenPoints, redeemed: one.redeemedPoints },
  );
  const series = {
    taken: { label: t("taken"), color: "var(--chart-1)" },
    redeemed: { label: t("redeemed"), color: "var(--chart-2)" },
  };
  return (
    <DailyChart
      kind="bars"
      swipe
      days={shown}
      series={series}
      unit={unit}
      marked={marked}
      title={text({ from: days[0]?.day ?? "", to: days.at(-1)?.day ?? "" })}
      label={t("chartLabel")}
      actions={
        <ChoiceLinks
          label={t("unit")}
          choices={UNITS}
          chosen={unit}
          nameOf={(one) => t(`units.${one}`)}
          patchOf={(one) => ({ unit: one === "qar" ? null : one })}
          className="inline-flex p-0.5 text-xs"
          linkClassName="px-2.5"
        />
      }
    />
  );
}

"use client";

import { useTranslations } from "next-intl";
import { ChoiceLinks } from "@/components/data/choice-links";
import { DailyChart } from "@/components/data/daily-chart";
import type { MoneyDay } from "@/lib/domain/owner-home";

const UNITS = ["qar", "points"] as const;
type Unit = (typeof UNITS)[number];

/** The money taken and redeemed on each of the last thirty days, in QAR or points. */
export function MoneyChart({ days, unit }: { days: readonly MoneyDay[]; unit: Unit }) {
  const t = useTranslations("home");
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
      title={t("thirtyDays")}
      label={t("chartLabel")}
      actions={<UnitSwitch unit={unit} />}
    />
  );
}

function UnitSwitch({ unit }: { unit: Unit }) {
  const t = useTranslations("home");
  return (
    <ChoiceLinks
      label={t("unit")}
      choices={UNITS}
      chosen={unit}
      nameOf={(one) => t(`units.${one}`)}
      patchOf={(one) => ({ unit: one === "qar" ? null : one })}
      className="inline-flex p-0.5 text-xs"
      linkClassName="px-2.5"
    />
  );
}

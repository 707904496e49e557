"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { DailyChart } from "@/components/data/daily-chart";
import { useUrlFilters } from "@/components/data/url-filters";
import { cn } from "@/components/ui/utils";
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
  const { hrefWith, navigate } = useUrlFilters();
  return (
    <nav
      aria-label={t("unit")}
      className="inline-flex rounded-lg bg-muted p-0.5 text-muted-foreground text-xs"
    >
      {UNITS.map((one) => {
        const href = hrefWith({ unit: one === "qar" ? null : one });
        return (
          <Link
            key={one}
            href={href}
            replace
            scroll={false}
            prefetch={false}
            aria-current={one === unit ? "true" : undefined}
            onNavigate={(event) => {
              event.preventDefault();
              navigate(href);
            }}
            className={cn(
              "inline-flex h-8 items-center rounded-md px-2.5 font-medium hover:text-foreground",
              one === unit && "bg-card text-foreground shadow-sm",
            )}
          >
            {t(`units.${one}`)}
          </Link>
        );
      })}
    </nav>
  );
}

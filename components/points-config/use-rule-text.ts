import { useLocale, useTranslations } from "next-intl";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { PointsRules } from "@/lib/domain/points";
import type { Locale } from "@/lib/domain/roles";

/** A rule's value as people read it. */
export function useRuleText(): (field: keyof PointsRules, rules: PointsRules) => string {
  const t = useTranslations("config");
  const locale = useLocale() as Locale;
  return (field, rules) => {
    const value = rules[field];
    if (value === null) return t("noCap");
    if (field === "dirhamsPerPoint") return t("rateIs", { value: formatQar(cashValue(1, value), locale) });
    if (field === "undoMinutes") return t("minutes", { count: value });
    return formatPoints(value, locale);
  };
}

export const RULE_FIELDS = [
  "dirhamsPerPoint",
  "minTopUp",
  "maxTopUp",
  "maxBalance",
  "undoMinutes",
  "workerDailyCap",
] as const satisfies (keyof PointsRules)[];

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Details } from "@/components/data/page-header";
import { Badge } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import type { ConfigInForce, PointsRules } from "@/lib/points-config/model";

type RulesCardProps = {
  config: ConfigInForce;
  text: string;
  children: ReactNode;
};

/** A card about the rules of the platform or of one merchant; `text` is below its title. */
export function RulesCard({ config: { merchant, overridden }, text, children }: RulesCardProps) {
  const t = useTranslations("config");
  const locale = useLocale();
  return (
    <Card>
      <CardHeader>
        <CardTitle>
          {merchant ? t("rulesOf", { merchant: merchantName(merchant, locale) }) : t("rulesPlatform")}
        </CardTitle>
        <CardDescription className="col-span-full">{text}</CardDescription>
        {merchant && (
          <CardAction className="row-span-1 ps-2">
            <Badge variant={overridden ? "soft" : "secondary"}>
              {t(overridden ? "overridden" : "fromPlatform")}
            </Badge>
          </CardAction>
        )}
      </CardHeader>
      <CardContent>{children}</CardContent>
    </Card>
  );
}

export function RulesView({ config }: { config: ConfigInForce }) {
  const t = useTranslations("config");
  const text = useRuleText();
  const since = t("since", { time: formatDateTime(config.since, useLocale()) });
  return (
    <RulesCard config={config} text={`${t("viewText")} ${since}`}>
      <Details
        className="lg:grid-cols-3"
        items={RULE_FIELDS.map((field) => ({ label: t(`fields.${field}`), value: text(field, config) }))}
      />
    </RulesCard>
  );
}

/** A function that formats a rule's value with its unit. */
export function useRuleText(): (field: keyof PointsRules, rules: PointsRules) => string {
  const t = useTranslations("config");
  const locale = useLocale();
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

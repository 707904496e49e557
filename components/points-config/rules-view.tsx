import { useLocale, useTranslations } from "next-intl";
import { Details } from "@/components/data";
import { Badge } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { exactTime } from "@/lib/domain/format";
import type { ConfigInForce } from "@/lib/domain/points-config";
import type { Locale } from "@/lib/domain/roles";
import { RULE_FIELDS, useRuleText } from "./use-rule-text";

/** The rules in force, to read. */
export function RulesView({ config }: { config: ConfigInForce }) {
  const t = useTranslations("config");
  const text = useRuleText();
  const locale = useLocale() as Locale;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("rulesOf", { merchant: config.merchant?.businessName ?? "" })}</CardTitle>
        <CardDescription>
          {t("viewText")} {t("since", { time: exactTime(config.since, locale) })}
        </CardDescription>
        <CardAction>
          <Badge variant={config.overridden ? "soft" : "secondary"}>
            {t(config.overridden ? "overridden" : "fromPlatform")}
          </Badge>
        </CardAction>
      </CardHeader>
      <CardContent>
        <Details
          className="lg:grid-cols-3"
          items={RULE_FIELDS.map((field) => ({ label: t(`fields.${field}`), value: text(field, config) }))}
        />
      </CardContent>
    </Card>
  );
}

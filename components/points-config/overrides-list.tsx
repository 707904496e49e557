import Link from "next/link";
import { useTranslations } from "next-intl";
import { MerchantName } from "@/components/data/merchant-name";
import { TitledCard } from "@/components/data/titled-card";
import type { ConfigOverride } from "@/lib/points-config/model";
import { useRuleText } from "./rules-view";

/** The merchants with their own rules, each with a link to them. */
export function OverridesList({ overrides }: { overrides: readonly ConfigOverride[] }) {
  const t = useTranslations("config");
  const text = useRuleText();
  return (
    <TitledCard title={t("overrides")}>
      {overrides.length === 0 && <p className="text-muted-foreground text-sm">{t("overridesNone")}</p>}
      <ul className="flex flex-col divide-y">
        {overrides.map(({ merchant, rules }) => (
          <li
            key={merchant.id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2.5 text-sm first:pt-0"
          >
            <Link
              href={`/admin/points-config?merchantId=${merchant.id}`}
              className="touch font-medium text-link underline underline-offset-4"
            >
              <MerchantName of={merchant} />
            </Link>
            <span className="text-muted-foreground tabular-nums">
              {text("dirhamsPerPoint", rules)} · {text("maxBalance", rules)}
            </span>
          </li>
        ))}
      </ul>
    </TitledCard>
  );
}

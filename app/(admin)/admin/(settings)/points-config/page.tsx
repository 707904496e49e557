import Link from "next/link";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { FilterSelect } from "@/components/data/filter-fields";
import { ListFrame, ListPart } from "@/components/data/list-frame";
import { MerchantName } from "@/components/data/names";
import { TitledCard } from "@/components/data/titled-card";
import { History } from "@/components/points-config/history-table";
import { RulesForm } from "@/components/points-config/rules-form";
import { useRuleText } from "@/components/points-config/rules-view";
import { WaitingChange } from "@/components/points-config/waiting-change";
import { pageContext, pageQuery, readOr404, type SearchParams } from "@/lib/api/page";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { type ConfigOverride, configHistorySchema } from "@/lib/points-config/model";
import { configHistory, listOverrides, viewConfig } from "@/lib/points-config/read-config";

function OverridesList({ overrides }: { overrides: readonly ConfigOverride[] }) {
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

/** "Points Configuration" for a system administrator, "Cash Configuration" for other administrators. */
export async function generateMetadata() {
  const { actor } = await pageContext(viewConfig);
  const t = await getTranslations("panels.titles");
  return { title: t(actor.role === "super_admin" ? "pointsConfig" : "cashConfig") };
}

export default async function PointsConfigPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listOverrides);
  const query = await pageQuery(configHistorySchema, searchParams);
  const config = await readOr404(viewConfig, ctx, { merchantId: query.merchantId });
  const [history, overrides, merchants, t] = await Promise.all([
    configHistory(ctx, query),
    listOverrides(ctx, {}),
    merchantOptions(ctx, query),
    getTranslations("config"),
  ]);
  return (
    <ListFrame>
      <FilterBar>
        <FilterSelect name="merchantId" label={t("appliesTo")} without={t("platform")} options={merchants} />
      </FilterBar>
      <ListPart>
        <div className="flex flex-col gap-5">
          <WaitingChange config={config} decides />
          <RulesForm config={config} />
          {!config.merchant && <OverridesList overrides={overrides} />}
          <History page={history} withAuthor />
        </div>
      </ListPart>
    </ListFrame>
  );
}

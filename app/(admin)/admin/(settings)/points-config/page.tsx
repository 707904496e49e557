import { getTranslations } from "next-intl/server";
import {
  approvePendingAction,
  cancelPendingAction,
  configImpactAction,
  editConfigAction,
  withdrawOverrideAction,
} from "@/app/_panels/actions";
import { CursorPager } from "@/components/data/cursor-pager";
import { FilterBar } from "@/components/data/filter-bar";
import { FilterSelect } from "@/components/data/filter-fields";
import { ListFrame, ListPart } from "@/components/data/list-frame";
import { HistoryTable } from "@/components/points-config/history-table";
import { OverridesList } from "@/components/points-config/overrides-list";
import { RulesForm } from "@/components/points-config/rules-form";
import { WaitingChange } from "@/components/points-config/waiting-change";
import { pageContext, pageQuery, readOr404, type SearchParams } from "@/lib/api/page";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { configHistorySchema } from "@/lib/points-config/model";
import { configHistory, listOverrides, viewConfig } from "@/lib/points-config/read-config";

export { configMetadata as generateMetadata } from "@/app/_panels/dashboard";

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
          <WaitingChange
            config={config}
            actions={{ approve: approvePendingAction, cancel: cancelPendingAction }}
          />
          <RulesForm
            config={config}
            actions={{ edit: editConfigAction, withdraw: withdrawOverrideAction, impact: configImpactAction }}
          />
          {!config.merchant && <OverridesList overrides={overrides} />}
          <section aria-labelledby="history">
            <h2 id="history" className="mb-3 font-semibold">
              {t("history")}
            </h2>
            <HistoryTable changes={history.results} withAuthor />
            <CursorPager nextCursor={history.nextCursor} />
          </section>
        </div>
      </ListPart>
    </ListFrame>
  );
}

import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data";
import { HistoryTable } from "@/components/points-config/history-table";
import { RulesView } from "@/components/points-config/rules-view";
import { configHistorySchema } from "@/lib/domain/schemas/points-config";
import { pageContext } from "@/lib/http/page";
import { pageQuery, type SearchParams } from "@/lib/http/query";
import { configHistory } from "@/lib/points-config/history";
import { viewConfig } from "@/lib/points-config/view-config";

export { configMetadata as generateMetadata } from "@/app/panels/config-title";

export default async function CashConfigPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("config.read");
  const { merchantId: _, ...page } = await pageQuery(configHistorySchema, searchParams);
  const [config, history, t] = await Promise.all([
    viewConfig(ctx, {}),
    configHistory(ctx, page),
    getTranslations("config"),
  ]);
  return (
    <div className="flex flex-col gap-5">
      <RulesView config={config} />
      <section aria-labelledby="history">
        <h2 id="history" className="mb-3 font-semibold">
          {t("history")}
        </h2>
        <HistoryTable changes={history.results} withWho={false} />
        <CursorPager nextCursor={history.nextCursor} />
      </section>
    </div>
  );
}

import { History } from "@/components/points-config/history-table";
import { RulesView } from "@/components/points-config/rules-view";
import { WaitingChange } from "@/components/points-config/waiting-change";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { configHistorySchema } from "@/lib/points-config/model";
import { configHistory, viewConfig } from "@/lib/points-config/read-config";

export const generateMetadata = pageTitle("panels.titles.cashConfig");

export default async function CashConfigPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(configHistory);
  const { merchantId: _, ...page } = await pageQuery(configHistorySchema, searchParams);
  const [config, history] = await Promise.all([viewConfig(ctx, {}), configHistory(ctx, page)]);
  return (
    <div className="flex flex-col gap-5">
      <WaitingChange config={config} />
      <RulesView config={config} />
      <History page={history} />
    </div>
  );
}

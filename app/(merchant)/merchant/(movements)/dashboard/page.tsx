import { getTranslations } from "next-intl/server";
import { Latest } from "@/components/dashboard/dashboard-view";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, Streamed } from "@/components/data/streamed";
import { BranchMoneyList } from "@/components/home/branch-money";
import { ShopChecklist } from "@/components/home/checklist";
import { ComparedWith, PeriodTitle } from "@/components/home/compared-with";
import { Drawers } from "@/components/home/drawers";
import { Figures, HomeSkeleton } from "@/components/home/figures";
import { MoneyChart } from "@/components/home/money-chart";
import { Owed } from "@/components/home/owed";
import { PeriodBar } from "@/components/home/period-bar";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/read-branches";
import { homeSpans } from "@/lib/domain/owner-home";
import { ownerHomePageSchema } from "@/lib/domain/owner-home-query";
import { listMovements } from "@/lib/ledger/read-movements";
import { drawerOverview } from "@/lib/tills/drawer-overview";
import { dashboard } from "@/lib/totals/dashboard";
import { ownerHome } from "@/lib/totals/owner-home";
import { SignupLink } from "../../(settings)/account/signup-link";

const LATEST_MOVEMENTS = 5;

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("dashboard") };
}

/** The owner's home: the money of a period, what is owed to customers, and below it where to go. */
export default async function MerchantDashboardPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(dashboard);
  const { unit = "qar", ...query } = await pageQuery(ownerHomePageSchema, searchParams);
  const home = deferRead(ownerHome(ctx, query));
  const latest = deferRead(listMovements(ctx, { limit: LATEST_MOVEMENTS }));
  const drawers = deferRead(drawerOverview(ctx, {}));
  const spans = homeSpans(query, ctx.clock());
  const [open, t] = await Promise.all([
    listBranches(ctx, { state: "open", limit: 100, sort: "name" }),
    getTranslations("home"),
  ]);
  const chosen = open.results.find(({ id }) => id === query.branchId);
  const place = chosen?.name ?? (open.results.length > 1 ? t("allBranches") : null);
  return (
    <ListFrame>
      <div className="flex flex-col gap-5">
        <PeriodBar spans={spans} branches={open.results} branchId={query.branchId} />
        <Streamed data={home} fallback={<HomeSkeleton />}>
          {(read) => (
            <div className="flex flex-col gap-5">
              {read.checklist && <ShopChecklist checklist={read.checklist} />}
              <Figures
                title={<PeriodTitle spans={spans} place={place} />}
                compared={<ComparedWith spans={spans} />}
                now={read.now}
                before={read.before}
              />
              <Owed of={read.owed} label={t("owe")} hint={t("oweHint")} href="/merchant/liability" />
              <BranchMoneyList branches={read.branches} span={spans.now} />
              <MoneyChart days={read.days} unit={unit} marked={spans.now} />
            </div>
          )}
        </Streamed>
        <Streamed small data={drawers} fallback={null}>
          {(overview) => <Drawers overview={overview} />}
        </Streamed>
        <QuickTiles role={ctx.actor.role} />
        <Latest movements={latest} base="/merchant" withMerchant={false} />
        <SignupLink />
      </div>
    </ListFrame>
  );
}

import { getTranslations } from "next-intl/server";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, Streamed } from "@/components/data/streamed";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { Latest } from "@/components/reports/dashboard/dashboard-view";
import { ComparedWith, PeriodTitle } from "@/components/reports/home/compared-with";
import { Figures, HomeSkeleton, Owed } from "@/components/reports/home/figures";
import { MoneyChart } from "@/components/reports/home/money-chart";
import { PeriodBar } from "@/components/reports/home/period-bar";
import { BranchMoneyList, Drawers, ShopChecklist } from "@/components/reports/home/sections";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/branches";
import { branchName } from "@/lib/domain/localized-names";
import { formatQar } from "@/lib/domain/money";
import { noteGround } from "@/lib/files/note";
import { reservedNow } from "@/lib/holds/holds";
import { listMovements } from "@/lib/ledger/read-movements";
import { dashboard } from "@/lib/reports/dashboard";
import { homeSpans } from "@/lib/reports/model/owner-home";
import { ownerHomePageSchema } from "@/lib/reports/model/owner-home-query";
import { ownerHome } from "@/lib/reports/owner-home";
import { drawerOverview } from "@/lib/tills/read-shifts";
import { SignupLink } from "../../(settings)/account/signup-link";

const LATEST_MOVEMENTS = 5;

export const generateMetadata = pageTitle("panels.titles.dashboard");

export default async function MerchantDashboardPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(dashboard);
  const { unit = "qar", ...query } = await pageQuery(ownerHomePageSchema, searchParams);
  const home = deferRead(ownerHome(ctx, query));
  const latest = deferRead(listMovements(ctx, { limit: LATEST_MOVEMENTS }));
  const drawers = deferRead(drawerOverview(ctx, {}));
  const spans = homeSpans(query, ctx.clock());
  const { merchantId } = ctx.actor;
  const [open, t, note, reserved, holds] = await Promise.all([
    listBranches(ctx, { state: "open", limit: 100, sort: "name" }),
    getTranslations("home"),
    merchantId ? noteGround(ctx, { merchantId }) : undefined,
    reservedNow(ctx, {}),
    getTranslations("holds"),
  ]);
  const chosen = open.results.find(({ id }) => id === query.branchId);
  const place =
    (chosen && branchName(chosen, ctx.locale)) ?? (open.results.length > 1 ? t("allBranches") : null);
  return (
    <ListFrame>
      <div className="flex flex-col gap-5">
        <PeriodBar spans={spans} branches={open.results} />
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
              <Owed
                of={read.owed}
                label={t("owe")}
                hint={
                  reserved.holds > 0
                    ? `${t("oweHint")} · ${holds("ofWhich", { amount: formatQar(reserved.cashValue, ctx.locale) })}`
                    : t("oweHint")
                }
                href="/merchant/liability"
                {...(note && { note })}
              />
              <BranchMoneyList branches={read.branches} span={spans.now} />
              <MoneyChart days={read.days} unit={unit} marked={spans.now} />
            </div>
          )}
        </Streamed>
        <Streamed small data={drawers} fallback={null}>
          {(overview) => <Drawers overview={overview} />}
        </Streamed>
        <QuickTiles role={ctx.actor.role} />
        <Latest movements={latest} base="/merchant" />
        <SignupLink />
      </div>
    </ListFrame>
  );
}

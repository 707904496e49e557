import { FactorHint } from "@/components/accounts/factor-hint";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead } from "@/components/data/streamed";
import { DashboardView } from "@/components/reports/dashboard/dashboard-view";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { scopeOf } from "@/lib/domain/policy";
import { isDemo } from "@/lib/env";
import { listMovements } from "@/lib/ledger/read-movements";
import { dashboard } from "@/lib/reports/dashboard";
import { chartUnitSchema } from "@/lib/reports/model/owner-home-query";

const LATEST_MOVEMENTS = 8;

export const generateMetadata = pageTitle("panels.titles.dashboard");

export default async function DashboardPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(dashboard);
  const { unit = "qar" } = await pageQuery(chartUnitSchema, searchParams);
  const { role } = ctx.actor;
  const canReadMovements = scopeOf(role, "movements.read") !== null;
  const view = deferRead(dashboard(ctx, {}));
  const latest = canReadMovements ? deferRead(listMovements(ctx, { limit: LATEST_MOVEMENTS })) : null;
  return (
    <ListFrame>
      {!ctx.actor.secondFactor && isDemo() && (
        <div className="mb-5">
          <FactorHint href="/admin/account#second-factors" />
        </div>
      )}
      <DashboardView view={view} latest={latest} role={role} unit={unit} />
    </ListFrame>
  );
}

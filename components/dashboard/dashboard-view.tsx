import { ArrowDownToLineIcon, ArrowUpFromLineIcon, CoinsIcon, UserPlusIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { EmptyState, StatCard } from "@/components/data";
import { TrendChart } from "@/components/data/trend-chart";
import { MovementTable } from "@/components/ledger/movement-table";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import type { LoggedMovement } from "@/lib/domain/points";
import type { Locale, Role } from "@/lib/domain/roles";
import type { Dashboard } from "@/lib/domain/totals";
import { BranchRanking } from "./branch-ranking";
import { WaitingList } from "./waiting-list";

type DashboardViewProps = {
  view: Dashboard;
  latest: readonly LoggedMovement[] | null;
  role: Role;
  /** The panel's path. */
  base: string;
};

/** A dashboard: what the role may see of today, the last thirty days and what waits. */
export function DashboardView({ view, latest, role, base }: DashboardViewProps) {
  const t = useTranslations("dashboard");
  const everywhere = role === "super_admin";
  return (
    <div className="flex flex-col gap-5">
      {view.waiting && view.waiting.count > 0 && <WaitingList waiting={view.waiting} />}
      <Figures view={view} />
      <QuickTiles role={role} />
      {view.money && (
        <div className="grid gap-5 xl:grid-cols-3">
          <div className="min-w-0 xl:col-span-2">
            <TrendChart days={view.money.days} title={t("thirtyDays")} />
          </div>
          <BranchRanking branches={view.money.branches} withMerchant={everywhere} />
        </div>
      )}
      {latest && <Latest movements={latest} base={base} withMerchant={everywhere} />}
      {view.waiting && view.waiting.count === 0 && <WaitingList waiting={view.waiting} />}
    </div>
  );
}

function Figures({ view: { money, customers } }: { view: Dashboard }) {
  const t = useTranslations("dashboard");
  const locale = useLocale() as Locale;
  if (!money && !customers) return null;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {money && (
        <>
          <StatCard
            label={t("toppedUpToday")}
            icon={ArrowDownToLineIcon}
            value={<bdi>{formatPoints(money.today.toppedUp, locale)}</bdi>}
            trend={{ now: money.today.toppedUp, before: money.yesterday.toppedUp }}
            hint={t("topUps", { count: money.today.topUps })}
          />
          <StatCard
            label={t("redeemedToday")}
            icon={ArrowUpFromLineIcon}
            value={<bdi>{formatPoints(money.today.redeemed, locale)}</bdi>}
            trend={{ now: money.today.redeemed, before: money.yesterday.redeemed }}
            hint={t("redeems", { count: money.today.redeems })}
          />
        </>
      )}
      {customers && (
        <StatCard
          label={t("newCustomers")}
          icon={UserPlusIcon}
          value={formatCount(customers.today)}
          trend={{ now: customers.today, before: customers.yesterday }}
          hint={t("customersInAll", { count: customers.total })}
        />
      )}
      {money && (
        <StatCard
          label={t("outstanding")}
          icon={CoinsIcon}
          value={<bdi>{formatPoints(money.outstanding.points, locale)}</bdi>}
          hint={<bdi>{formatQar(money.outstanding.cashValue, locale)}</bdi>}
        />
      )}
    </div>
  );
}

function Latest({
  movements,
  base,
  withMerchant,
}: {
  movements: readonly LoggedMovement[];
  base: string;
  withMerchant: boolean;
}) {
  const t = useTranslations("dashboard");
  return (
    <section aria-labelledby="latest" className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="latest" className="font-semibold">
          {t("latest")}
        </h2>
        <Link
          href={`${base}/transactions`}
          className="text-primary-strong text-sm underline-offset-4 hover:underline"
        >
          {t("seeAll")}
        </Link>
      </div>
      <MovementTable
        movements={movements}
        base={base}
        parts={withMerchant ? ["customer", "merchant", "by"] : ["customer", "by"]}
        empty={<EmptyState title={t("nothingMoved")} description={t("nothingMovedText")} />}
      />
    </section>
  );
}

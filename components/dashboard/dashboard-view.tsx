import {
  ArrowDownToLineIcon,
  ArrowUpFromLineIcon,
  CoinsIcon,
  ShieldAlertIcon,
  UserPlusIcon,
} from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { StatCard, StatSkeletons } from "@/components/data/stat-card";
import { type DeferredRead, Streamed } from "@/components/data/streamed";
import { TrendChart } from "@/components/data/trend-chart";
import { MovementTable } from "@/components/ledger/movement-table";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import type { LoggedMovement, Page } from "@/lib/domain/movements";
import { scopeOf } from "@/lib/domain/policy";
import type { Locale, Role } from "@/lib/domain/roles";
import type { Dashboard } from "@/lib/domain/totals";
import { BranchRanking } from "./branch-ranking";
import { WaitingList } from "./waiting-list";

type DashboardViewProps = {
  view: DeferredRead<Dashboard>;
  /** Null if the role may not see movements. */
  latest: DeferredRead<Page<LoggedMovement>> | null;
  role: Role;
  /** The panel's path. */
  base: string;
};

/** Warns that the program's database role could rewrite the ledger. */
function SingleRoleWarning() {
  const t = useTranslations("dashboard.oneRole");
  return (
    <Alert variant="warning">
      <ShieldAlertIcon aria-hidden />
      <AlertTitle>{t("title")}</AlertTitle>
      <AlertDescription>{t("text")}</AlertDescription>
    </Alert>
  );
}

/** A dashboard: today, the last thirty days and pending merchants, as far as the role may see them. */
export function DashboardView({ view, latest, role, base }: DashboardViewProps) {
  const t = useTranslations("dashboard");
  const seesAllMerchants = role === "super_admin";
  const seesPending = scopeOf(role, "merchants.read") !== null;
  return (
    <div className="flex flex-col gap-5">
      {seesPending && (
        <Streamed small data={view} fallback={null}>
          {({ waiting, apart }) => (
            <>
              {apart === false && <SingleRoleWarning />}
              {waiting && waiting.count > 0 && <WaitingList waiting={waiting} />}
            </>
          )}
        </Streamed>
      )}
      {latest && (
        <Streamed data={view} fallback={<StatSkeletons hints className={FIGURES} />}>
          {(figures) => <Figures view={figures} />}
        </Streamed>
      )}
      <QuickTiles role={role} />
      {latest && (
        <>
          <Streamed data={view} fallback={<MonthSkeleton />}>
            {({ money }) =>
              money && (
                <div className="grid grid-cols-1 gap-5 xl:grid-cols-3">
                  <div className="min-w-0 xl:col-span-2">
                    <TrendChart days={money.days} title={t("thirtyDays")} />
                  </div>
                  <BranchRanking branches={money.branches} withMerchant={seesAllMerchants} />
                </div>
              )
            }
          </Streamed>
          <Latest movements={latest} base={base} withMerchant={seesAllMerchants} />
        </>
      )}
      {seesPending && (
        <Streamed small data={view} fallback={null}>
          {({ waiting }) => waiting && waiting.count === 0 && <WaitingList waiting={waiting} />}
        </Streamed>
      )}
    </div>
  );
}

const FIGURES = "grid grid-cols-2 gap-3 lg:grid-cols-4";

function Figures({ view: { money, customers } }: { view: Pick<Dashboard, "money" | "customers"> }) {
  const t = useTranslations("dashboard");
  const locale = useLocale() as Locale;
  if (!money && !customers) return null;
  return (
    <div className={FIGURES}>
      {money && (
        <>
          <StatCard
            label={t("toppedUpToday")}
            icon={ArrowDownToLineIcon}
            value={<bdi>{formatPoints(money.today.toppedUp, locale)}</bdi>}
            trend={{ now: money.today.toppedUp, before: money.yesterday.toppedUp }}
            hint={
              <>
                {t("topUps", { count: money.today.topUps })}
                <Gross net={money.today.toppedUp} gross={money.gross.toppedUp} />
              </>
            }
          />
          <StatCard
            label={t("redeemedToday")}
            icon={ArrowUpFromLineIcon}
            value={<bdi>{formatPoints(money.today.redeemed, locale)}</bdi>}
            trend={{ now: money.today.redeemed, before: money.yesterday.redeemed }}
            hint={
              <>
                {t("redeems", { count: money.today.redeems })}
                <Gross net={money.today.redeemed} gross={money.gross.redeemed} />
              </>
            }
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

/** The points before what was undone, where something was. */
function Gross({ net, gross }: { net: number; gross: number }) {
  const t = useTranslations("stats");
  const locale = useLocale() as Locale;
  if (gross === net) return null;
  return (
    <>
      {" · "}
      {t("gross", { amount: formatPoints(gross, locale) })}
    </>
  );
}

/** The latest transactions, with a link to all. */
export function Latest({
  movements,
  base,
  withMerchant,
}: {
  movements: DeferredRead<Page<LoggedMovement>>;
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
          className="touch text-primary-strong text-sm underline-offset-4 hover:underline"
        >
          {t("seeAll")}
        </Link>
      </div>
      <Streamed data={movements} fallback={<ListSkeleton tall rows={8} />}>
        {({ results }) => (
          <MovementTable
            movements={results}
            base={base}
            parts={withMerchant ? ["customer", "merchant", "by"] : ["customer", "by"]}
            empty={<EmptyState title={t("nothingMoved")} description={t("nothingMovedText")} />}
          />
        )}
      </Streamed>
    </section>
  );
}

function MonthSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-5 xl:grid-cols-3">
      <div className="rounded-xl border bg-card p-4 shadow-card sm:p-5 xl:col-span-2">
        <div className="mb-2 flex h-8 items-center justify-between">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-5 w-20" />
        </div>
        <Skeleton className="mb-3 h-4 w-36" />
        <Skeleton className="h-64" />
      </div>
      <div className="flex flex-col gap-4 rounded-xl border bg-card p-5 shadow-card">
        <Skeleton className="h-5 w-28" />
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    </div>
  );
}

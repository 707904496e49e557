import { ShieldAlertIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { type DeferredRead, Streamed } from "@/components/data/streamed";
import { MovementTable } from "@/components/ledger/movement-table";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCount } from "@/lib/domain/money";
import { scopeOf } from "@/lib/domain/policy";
import type { Locale, Role } from "@/lib/domain/roles";
import { formatShortDate } from "@/lib/domain/time";
import type { LoggedMovement, Page } from "@/lib/ledger/model/movements";
import type { MoneyDay } from "@/lib/reports/model/owner-home";
import type { Dashboard, DayTotals } from "@/lib/reports/model/totals";
import { Figures } from "../home/figures";
import { type ChartUnit, MoneyChart } from "../home/money-chart";
import { Owed } from "../home/owed";
import { BranchRanking } from "./branch-ranking";
import { WaitingList } from "./waiting-list";

type DashboardViewProps = {
  view: DeferredRead<Dashboard>;
  /** Null if the role may not see movements. */
  latest: DeferredRead<Page<LoggedMovement>> | null;
  role: Role;
  /** The panel's path. */
  base: string;
  /** The unit of the chart. */
  unit: ChartUnit;
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
export function DashboardView({ view, latest, role, base, unit }: DashboardViewProps) {
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
        <Streamed data={view} fallback={<TodaySkeleton />}>
          {(figures) => <Today view={figures} />}
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
                    <MoneyChart days={money.days.map(moneyDay)} unit={unit} />
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

/** Today's money beside yesterday's at this hour, what customers hold, and who is new. */
function Today({
  view: { day, money, customers },
}: {
  view: Pick<Dashboard, "day" | "money" | "customers">;
}) {
  const t = useTranslations("dashboard");
  const locale = useLocale() as Locale;
  return (
    <div className="flex flex-col gap-3">
      {money && (
        <>
          <Figures
            title={
              <>
                <bdi>{formatShortDate(day, locale)}</bdi> · {t("allMerchants")}
              </>
            }
            compared={t("versusYesterday")}
            now={money.today.money}
            before={money.yesterday.money}
          />
          <Owed
            of={money.outstanding}
            label={t("outstanding")}
            hint={t("heldHint")}
            href="/admin/liability"
          />
        </>
      )}
      {customers && (
        <p className="flex flex-wrap items-baseline gap-x-3 rounded-xl border bg-card px-4 py-3 text-sm shadow-card sm:px-5">
          <span className="font-medium">{t("newCustomers")}</span>
          <span className="text-muted-foreground text-xs">
            {t("customersInAll", { count: customers.total })}
          </span>
          <span className="ms-auto font-medium tabular-nums">{formatCount(customers.today)}</span>
          <span className="text-muted-foreground text-xs tabular-nums">
            {t("yesterdayWas", { count: customers.yesterday })}
          </span>
        </p>
      )}
    </div>
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
          className="touch text-link text-sm underline-offset-4 hover:underline"
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

function moneyDay({ day, toppedUp, redeemed, money }: DayTotals): MoneyDay {
  const { taken, redeemed: spent } = money;
  return { day, taken, redeemed: spent, takenPoints: toppedUp, redeemedPoints: redeemed };
}

function TodaySkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-40 rounded-xl max-lg:h-64" />
      <Skeleton className="h-14 rounded-xl" />
      <Skeleton className="h-12 rounded-xl" />
    </div>
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

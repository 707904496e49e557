import { ShieldAlertIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { BranchName, MerchantName } from "@/components/data/names";
import { AllLink, Section } from "@/components/data/page-header";
import { RelativeTime } from "@/components/data/relative-time";
import { type DeferredRead, ListSkeleton, Streamed } from "@/components/data/streamed";
import { TitledCard } from "@/components/data/titled-card";
import { MovementTable } from "@/components/ledger/movement-table";
import { QuickTiles } from "@/components/panel/quick-tiles";
import { Owed } from "@/components/reports/home/figures";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { cashValue, formatCount, formatQar } from "@/lib/domain/money";
import { scopeOf } from "@/lib/domain/policy";
import type { Role } from "@/lib/domain/roles";
import { formatShortDate } from "@/lib/domain/time";
import type { LoggedMovement, Page } from "@/lib/ledger/model/movements";
import type { BranchTotals, Dashboard } from "@/lib/reports/model/totals";
import { Figures } from "../home/figures";
import { type ChartUnit, MoneyChart } from "../home/money-chart";

type DashboardViewProps = {
  view: DeferredRead<Dashboard>;
  latest: DeferredRead<Page<LoggedMovement>> | null;
  role: Role;
  unit: ChartUnit;
};

/** A dashboard, as far as the role may see its parts. `latest` is null if it may not see movements. */
export function DashboardView({ view, latest, role, unit }: DashboardViewProps) {
  const t = useTranslations("dashboard");
  const seesPending = scopeOf(role, "merchants.read") !== null;
  return (
    <div className="flex flex-col gap-5">
      {seesPending && (
        <Streamed small data={view} fallback={null}>
          {({ waiting, apart }) => (
            <>
              {apart === false && (
                <Alert variant="warning" icon={ShieldAlertIcon} title={t("oneRole.title")}>
                  {t("oneRole.text")}
                </Alert>
              )}
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
                    <MoneyChart days={money.days} unit={unit} />
                  </div>
                  <BranchRanking branches={money.branches} />
                </div>
              )
            }
          </Streamed>
          <Latest movements={latest} base="/admin" withMerchant />
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

function Today({ view: { day, money, customers } }: { view: Dashboard }) {
  const t = useTranslations("dashboard");
  const locale = useLocale();
  if (!money || !customers) return null;
  return (
    <div className="flex flex-col gap-3">
      <Figures
        title={
          <>
            <bdi>{formatShortDate(day, locale)}</bdi> · {t("allMerchants")}
          </>
        }
        compared={t("versusYesterday")}
        now={money.today}
        before={money.yesterday}
      />
      <Owed of={money.outstanding} label={t("outstanding")} hint={t("heldHint")} href="/admin/liability" />
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
    </div>
  );
}

type LatestProps = {
  movements: DeferredRead<Page<LoggedMovement>>;
  base: string;
  withMerchant?: boolean;
};

/** The latest transactions, with a link to all. */
export function Latest({ movements, base, withMerchant }: LatestProps) {
  const t = useTranslations("dashboard");
  return (
    <Section
      id="latest"
      title={t("latest")}
      aside={<AllLink href={`${base}/transactions`}>{t("seeAll")}</AllLink>}
    >
      <Streamed data={movements} fallback={<ListSkeleton rows={8} />}>
        {({ results }) => (
          <MovementTable
            movements={results}
            base={base}
            parts={withMerchant ? ["customer", "merchant", "by"] : ["customer", "by"]}
            empty={<EmptyState title={t("nothingMoved")} description={t("nothingMovedText")} />}
          />
        )}
      </Streamed>
    </Section>
  );
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
      <Skeleton className="h-88 rounded-xl xl:col-span-2" />
      <Skeleton className="min-h-40 rounded-xl" />
    </div>
  );
}

function BranchRanking({ branches }: { branches: readonly BranchTotals[] }) {
  const t = useTranslations("dashboard");
  const locale = useLocale();
  const most = branches[0]?.taken ?? 1;
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  return (
    <TitledCard title={t("topBranches")} text={t("topBranchesText")}>
      {branches.length === 0 && <p className="text-muted-foreground text-sm">{t("noBranches")}</p>}
      <ol className="flex flex-col gap-4">
        {branches.map(({ branch, merchant, taken, redeemed }) => (
          <li key={branch.id} className="flex flex-col gap-1.5">
            <div className="flex items-baseline justify-between gap-3 text-sm">
              <span className="wrap-anywhere min-w-0 font-medium">
                <BranchName of={branch} />
                <span className="font-normal text-muted-foreground">
                  {" · "}
                  <MerchantName of={merchant} />
                </span>
              </span>
              <bdi className="shrink-0 font-medium tabular-nums">{qar(taken)}</bdi>
            </div>
            <div className="h-2 overflow-hidden rounded-full bg-muted" aria-hidden>
              <div
                className="h-full rounded-full bg-chart-1"
                style={{ inlineSize: `${Math.max(2, (taken / most) * 100)}%` }}
              />
            </div>
            <p className="text-muted-foreground text-xs tabular-nums">
              {t("redeemedPart", { amount: qar(redeemed) })}
            </p>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}

function WaitingList({ waiting }: { waiting: NonNullable<Dashboard["waiting"]> }) {
  const t = useTranslations("dashboard");
  const more = waiting.count - waiting.first.length;
  return (
    <TitledCard
      title={
        <>
          {t("waiting")}
          {"\u00a0"}
          <Badge
            variant={waiting.count > 0 ? "warning" : "secondary"}
            className="ms-1 align-middle tabular-nums"
          >
            {formatCount(waiting.count)}
          </Badge>
        </>
      }
      action={<AllLink href="/admin/merchants?status=pending">{t("seeAll")}</AllLink>}
    >
      {waiting.count === 0 && <p className="text-muted-foreground text-sm">{t("waitingNone")}</p>}
      <ul className="flex flex-col divide-y">
        {waiting.first.map((merchant) => (
          <li
            key={merchant.id}
            className="flex items-center justify-between gap-3 py-2.5 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="wrap-anywhere font-medium text-sm">
                <MerchantName of={merchant} />
              </p>
              <p className="wrap-anywhere text-muted-foreground text-xs">
                <bdi>{merchant.owner}</bdi> · <RelativeTime date={merchant.createdAt} />
              </p>
            </div>
            <LinkButton variant="outline" size="sm" href={`/admin/merchants/${merchant.id}`}>
              {t("review")}
              <span className="sr-only">
                <MerchantName of={merchant} />
              </span>
            </LinkButton>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="pt-2 text-muted-foreground text-sm">{t("waitingMore", { count: more })}</p>}
    </TitledCard>
  );
}

import { CircleAlertIcon, HourglassIcon } from "lucide-react";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, Streamed } from "@/components/data/streamed";
import {
  LiabilityChart,
  LiabilitySkeleton,
  LiabilityView,
} from "@/components/reports/liability/liability-view";
import { Alert } from "@/components/ui/alert";
import { LinkButton } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { type PageContext, pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatQar } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { qatarDay } from "@/lib/domain/time";
import { reservedNow } from "@/lib/holds/holds";
import type { ReservedNow } from "@/lib/holds/model";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { liability, liabilityDays } from "@/lib/reports/liability";
import { liabilityPageSchema, liabilityPeriod, liabilityPeriods } from "@/lib/reports/model/liability";

function ReservedLine({ reserved: { holds, cashValue } }: { reserved: ReservedNow }) {
  const t = useTranslations("holds");
  const locale = useLocale();
  return (
    <p className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <HourglassIcon className="size-4 shrink-0 text-muted-foreground" aria-hidden />
      <span>
        {holds > 0 ? t("now", { amount: formatQar(cashValue, locale), count: holds }) : t("nowNone")}
      </span>
      <Link
        href={holds > 0 ? "/merchant/liability/holds" : "/merchant/liability/holds?state=all"}
        className="touch text-link underline underline-offset-4"
      >
        {t("see")}
      </Link>
    </p>
  );
}

export const generateMetadata = pageTitle("panels.titles.liability");

/** The merchants of the select, with the chosen one even if it lost its approval. Renders 404 if it is unknown. */
async function optionsOf(ctx: PageContext, merchantId: string | undefined) {
  const options = await merchantOptions(ctx, { merchantId });
  if (merchantId && options.every(({ value }) => value !== merchantId)) notFound();
  return options;
}

type Period = { from: string; to: string };

type PeriodsProps = {
  shown: Period;
  today: string;
  hrefOf: (period: Period) => string;
};

async function Periods({ shown, today, hrefOf }: PeriodsProps) {
  const t = await getTranslations("liability");
  return (
    <nav aria-label={t("periods")} className="mb-5 flex flex-wrap gap-2">
      {liabilityPeriods(today).map(({ key, ...period }) => {
        const current = period.from === shown.from && period.to === shown.to;
        return (
          <LinkButton
            key={key}
            variant={current ? "secondary" : "ghost"}
            size="sm"
            href={hrefOf(period)}
            aria-current={current ? "true" : undefined}
          >
            {t(key)}
          </LinkButton>
        );
      })}
    </nav>
  );
}

/** The points that customers hold: at an owner's merchant, or at the merchants that a super_admin selects. */
export async function LiabilityPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(liability);
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const today = qatarDay(ctx.clock());
  const { merchantId: named, ...given } = await pageQuery(liabilityPageSchema, searchParams);
  const merchantId = seesAllMerchants ? named : undefined;
  const { from, to } = liabilityPeriod(given, today);
  const [t, options] = await Promise.all([
    getTranslations("liability"),
    seesAllMerchants ? optionsOf(ctx, merchantId) : [],
  ]);
  const base = `/${PANELS[ctx.actor.role].segment}`;
  const query = { from, to, merchantId };
  const ordered = from <= to;
  const report = ordered && deferRead(liability(ctx, query));
  // No day after today has a balance yet.
  const inFuture = to > today;
  const lastDay = inFuture ? today : to;
  const days = ordered && from <= lastDay && deferRead(liabilityDays(ctx, { from, to: lastDay, merchantId }));
  return (
    <ListFrame>
      <FilterBar
        range={t("days")}
        span={{ from, to }}
        fields={seesAllMerchants ? [{ name: "merchantId", label: t("merchant"), options }] : []}
        actions={
          ordered && (
            <>
              <ExportLink path={`${base}/liability/export`} query={query}>
                {t("download")}
              </ExportLink>
              <ExportLink path={`${base}/liability/journal`} query={query}>
                {t("journal")}
              </ExportLink>
            </>
          )
        }
      />
      <Periods
        shown={{ from, to }}
        today={today}
        hrefOf={(period) =>
          `${base}/liability?${new URLSearchParams({ ...period, ...(merchantId ? { merchantId } : {}) })}`
        }
      />
      {!ordered && (
        <Alert variant="warning" icon={CircleAlertIcon}>
          {t("order")}
        </Alert>
      )}
      {!seesAllMerchants && (
        <Streamed small data={deferRead(reservedNow(ctx, {}))} fallback={null}>
          {(read) => <ReservedLine reserved={read} />}
        </Streamed>
      )}
      <div className="flex flex-col gap-5">
        {report && (
          <Streamed data={report} fallback={<LiabilitySkeleton />}>
            {(read) => (
              <LiabilityView
                report={read}
                base={base}
                all={seesAllMerchants && !merchantId}
                merchantId={merchantId}
              />
            )}
          </Streamed>
        )}
        {days && (
          <Streamed data={days} fallback={<Skeleton className="h-88 rounded-xl" />}>
            {(read) => <LiabilityChart days={read} />}
          </Streamed>
        )}
      </div>
    </ListFrame>
  );
}

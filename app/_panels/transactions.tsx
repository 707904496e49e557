import { ArrowLeftRightIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ExportLink } from "@/components/data/export-link";
import { ListCount, ListFrame } from "@/components/data/list-frame";
import { NoneFound } from "@/components/data/none-found";
import { deferRead, Streamed } from "@/components/data/streamed";
import { StreamedList } from "@/components/data/streamed-list";
import { type CutDays, MovementTable } from "@/components/ledger/movement-table";
import { TotalsBar, TotalsSkeleton } from "@/components/ledger/totals-bar";
import { TransactionsFilters } from "@/components/ledger/transactions-filters";
import { EmptyState } from "@/components/ui/empty";
import { type PageContext, pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { qatarDay } from "@/lib/domain/time";
import { pageTitle } from "@/lib/i18n/page-title";
import { type MovementsQuery, movementsSchema } from "@/lib/ledger/model/movement-queries";
import type { LoggedMovement, Page } from "@/lib/ledger/model/movements";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { filterOptions, listMovements } from "@/lib/ledger/read-movements";
import { countIsBlind } from "@/lib/tills/read-shifts";
import { customerChip } from "./customer-chip";

export const transactionsMetadata = pageTitle("panels.titles.transactions");

/** The transactions in the user's scope, with the filters in the URL. */
export async function TransactionsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(movementTotals);
  const query = await pageQuery(movementsSchema, searchParams);
  const { cursor, limit: _, sort, ...filter } = query;
  const list = deferRead(
    listMovements(ctx, query).then(async (page) => ({ ...page, cutDays: await cutDaysOf(ctx, query, page) })),
  );
  // An employee does not see sums of money while one of their drawers must still be counted.
  const { blind } = await countIsBlind(ctx, {});
  const totals = blind ? null : deferRead(movementTotals(ctx, filter));
  const [options, chips, t] = await Promise.all([
    filterOptions(ctx, { merchantId: filter.merchantId }),
    customerChip(ctx, filter.customerId),
    getTranslations("transactions"),
  ]);
  const { role } = ctx.actor;
  // Workers see only their own movements, and cannot export them.
  const base = `/${PANELS[role].segment}`;
  const ownOnly = scopeOf(role, "movements.read") === "own";
  const exportLink = ownOnly ? null : (
    <ExportLink path={`${base}/transactions/export`} query={filter}>
      {t("export")}
    </ExportLink>
  );
  const seesAllMerchants = role === "super_admin";
  const order = { current: sort ?? "-time", fallback: "-time" };
  const backwards = Boolean(filter.from && filter.to && filter.from > filter.to);
  const filtered = Object.values({ ...filter, cursor }).some(Boolean);
  return (
    <ListFrame>
      <TransactionsFilters options={options} order={order} chips={chips} exportLink={exportLink} />
      {totals ? (
        <Streamed small data={totals} fallback={<TotalsSkeleton />}>
          {(sums) => (
            <>
              <TotalsBar totals={sums} />
              <ListCount count={sums?.count ?? null} />
            </>
          )}
        </Streamed>
      ) : (
        <p className="mb-4 text-muted-foreground text-sm">{(await getTranslations("shifts"))("blind")}</p>
      )}
      <StreamedList data={list}>
        {(page) => (
          <MovementTable
            movements={page.results}
            base={base}
            order={order}
            cutDays={page.cutDays}
            parts={
              seesAllMerchants
                ? ["customer", "sale", "merchant", "by", "balance"]
                : ownOnly
                  ? ["customer", "sale", "balance"]
                  : ["customer", "sale", "by", "balance"]
            }
            empty={
              filtered ? (
                <NoneFound icon={ArrowLeftRightIcon} backwards={backwards} />
              ) : (
                <EmptyState icon={ArrowLeftRightIcon} title={t("none")} description={t("noneText")} />
              )
            }
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}

/**
 * Answers the net of the days that a page shows only in part: its first day if a page is before it, and its
 * last day if a page is after it. With a filter by kind the net is unknown, because sums count reversals that
 * such a list does not show.
 */
async function cutDaysOf(
  ctx: PageContext,
  query: MovementsQuery,
  page: Page<LoggedMovement>,
): Promise<CutDays> {
  const { cursor, limit: _, sort: __, ...filter } = query;
  const ends = [
    ...(cursor ? page.results.slice(0, 1) : []),
    ...(page.nextCursor ? page.results.slice(-1) : []),
  ];
  const days = [...new Set(ends.map(({ createdAt }) => qatarDay(createdAt)))];
  const sums = days.map(async (day) => {
    if (filter.type || filter.tender) return [day, null] as const;
    const totals = await movementTotals(ctx, { ...filter, from: day, to: day });
    return [day, totals?.value.net ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
}

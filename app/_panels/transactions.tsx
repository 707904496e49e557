import { ArrowLeftRightIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { MovementTable } from "@/components/ledger/movement-table";
import { TotalsBar, TotalsSkeleton } from "@/components/ledger/totals-bar";
import { TransactionsFilters } from "@/components/ledger/transactions-filters";
import { EmptyState } from "@/components/ui/empty";
import { movementsSchema } from "@/lib/domain/movement-queries";
import { PANELS } from "@/lib/domain/panels";
import { pageContext, pageQuery, type SearchParams } from "@/lib/http/page";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { filterOptions, listMovements } from "@/lib/ledger/read-movements";

/** The transactions in the user's scope, with the filters in the URL. */
export async function TransactionsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("movements.read");
  const query = await pageQuery(movementsSchema, searchParams);
  const { cursor, limit: _, sort, ...filter } = query;
  const list = deferRead(listMovements(ctx, query));
  const totals = deferRead(movementTotals(ctx, filter));
  const [options, t] = await Promise.all([
    filterOptions(ctx, { merchantId: filter.merchantId }),
    getTranslations("transactions"),
  ]);
  const activeFilters = Object.entries(filter).flatMap(([key, value]) =>
    value ? [[key, String(value)]] : [],
  );
  const base = `/${PANELS[ctx.actor.role].segment}`;
  const exportHref = `${base}/transactions/export?${new URLSearchParams(activeFilters)}`;
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const order = { current: sort ?? "-time", fallback: "-time" };
  const filtered = activeFilters.length > 0 || Boolean(cursor);
  return (
    <ListFrame>
      <TransactionsFilters options={options} exportHref={exportHref} order={order} />
      {filter.customerId && <p className="mb-3 text-muted-foreground text-sm">{t("ofCustomer")}</p>}
      <Streamed small data={totals} fallback={<TotalsSkeleton />}>
        {(sums) => <TotalsBar totals={sums} />}
      </Streamed>
      <Streamed data={list} fallback={<ListSkeleton tall />}>
        {(page) => (
          <>
            <MovementTable
              movements={page.results}
              base={base}
              order={order}
              parts={
                seesAllMerchants
                  ? ["customer", "sale", "merchant", "by", "balance"]
                  : ["customer", "sale", "by", "balance"]
              }
              empty={
                <EmptyState
                  icon={ArrowLeftRightIcon}
                  title={t(filtered ? "noneFound" : "none")}
                  description={t(filtered ? "noneFoundText" : "noneText")}
                />
              }
            />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}

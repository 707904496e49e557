import { ArrowLeftRightIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { RefundMovement } from "@/app/topup/_counter/refund-movement";
import { ReverseMovement } from "@/app/topup/_counter/reverse-movement";
import { CursorPager, deferRead, EmptyState, ListFrame, ListSkeleton, Streamed } from "@/components/data";
import { MovementTable } from "@/components/ledger/movement-table";
import { MovementView } from "@/components/ledger/movement-view";
import { TotalsBar, TotalsSkeleton } from "@/components/ledger/totals-bar";
import { TransactionsFilters } from "@/components/ledger/transactions-filters";
import { movementsSchema } from "@/lib/domain/movement-queries";
import { leftToRefund } from "@/lib/domain/movements";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { pageContext, pageQuery, readOr404, type SearchParams } from "@/lib/http/page";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { filterOptions, listMovements, viewMovement } from "@/lib/ledger/read-movements";

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

/** One movement, with a Reverse button if the user may reverse it. */
export async function TransactionPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext("movements.read");
  const movement = await readOr404(viewMovement, ctx, { movementId: (await params).id });
  const canReverse = scopeOf(ctx.actor.role, "money.reverse") !== null;
  const { role, handle, userId } = ctx.actor;
  const base = `/${PANELS[role].segment}`;
  const reverse = canReverse && (
    <ReverseMovement movement={movement} base={base} handle={handle} userId={userId} />
  );
  // Workers have no page of a transaction. They refund from their own lists.
  const { id, customer } = movement;
  const refundable = { id, customerName: customer.fullName, left: leftToRefund(movement) };
  const refund = scopeOf(role, "money.refund") && <RefundMovement movement={refundable} base={base} />;
  return <MovementView movement={movement} base={base} reverse={reverse} refund={refund} />;
}

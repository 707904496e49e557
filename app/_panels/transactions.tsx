import { ArrowLeftRightIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { RefundMovement } from "@/app/topup/_counter/refund-movement";
import { ReverseMovement } from "@/app/topup/_counter/reverse-movement";
import { CursorPager, deferRead, EmptyState, ListFrame, ListSkeleton, Streamed } from "@/components/data";
import { ClearFilters } from "@/components/data/filter-bar";
import { MovementTable } from "@/components/ledger/movement-table";
import { MovementView } from "@/components/ledger/movement-view";
import { TotalsBar, TotalsSkeleton } from "@/components/ledger/totals-bar";
import { TransactionsFilters } from "@/components/ledger/transactions-filters";
import { customerProfile } from "@/lib/customers/customer";
import { customerIdSchema } from "@/lib/domain/customers";
import { DomainError } from "@/lib/domain/errors";
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
  const { role } = ctx.actor;
  // Workers see their own, without a file to take away.
  const base = `/${PANELS[role].segment}`;
  const ownOnly = scopeOf(role, "movements.read") === "own";
  const exportHref = ownOnly ? null : `${base}/transactions/export?${new URLSearchParams(activeFilters)}`;
  const seesAllMerchants = role === "super_admin";
  const order = { current: sort ?? "-time", fallback: "-time" };
  const backwards = Boolean(filter.from && filter.to && filter.from > filter.to);
  const filtered = activeFilters.length > 0 || Boolean(cursor);
  return (
    <ListFrame>
      <TransactionsFilters options={options} exportHref={exportHref} order={order} />
      {filter.customerId && <OfCustomer ctx={ctx} customerId={filter.customerId} />}
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
                  : ownOnly
                    ? ["customer", "sale", "balance"]
                    : ["customer", "sale", "by", "balance"]
              }
              empty={
                <EmptyState
                  icon={ArrowLeftRightIcon}
                  title={t(filtered ? "noneFound" : "none")}
                  description={t(backwards ? "backwards" : filtered ? "noneFoundText" : "noneText")}
                  action={filtered && <ClearFilters />}
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

/** Whose transactions are shown, by a link to the customer. Nothing for a customer outside the user's reach. */
async function OfCustomer({
  ctx,
  customerId,
}: {
  ctx: Awaited<ReturnType<typeof pageContext>>;
  customerId: string;
}) {
  const t = await getTranslations("transactions");
  if (scopeOf(ctx.actor.role, "customers.read") === null) return null;
  const customer = await customerProfile(ctx, customerIdSchema.parse({ customerId })).catch(
    (error: unknown) => {
      if (error instanceof DomainError) return null;
      throw error;
    },
  );
  if (!customer) return null;
  const name =
    customer.status === "erased" ? (await getTranslations("customers"))("erasedName") : customer.fullName;
  return (
    <p className="mb-3 text-sm">
      {t.rich("ofCustomer", {
        name,
        link: (words) => (
          <Link
            href={`/${PANELS[ctx.actor.role].segment}/customers/${customer.id}`}
            className="font-medium text-primary-strong underline underline-offset-4"
          >
            <bdi>{words}</bdi>
          </Link>
        ),
      })}
    </p>
  );
}

/** One movement, with a Reverse button if the user may reverse it. */
export async function TransactionPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await pageContext("movements.read");
  const movement = await readOr404(viewMovement, ctx, { movementId: (await params).id });
  // Workers undo and refund from their own lists.
  const canReverse = (scopeOf(ctx.actor.role, "money.reverse") ?? "own") !== "own";
  const { role, handle, userId } = ctx.actor;
  const base = `/${PANELS[role].segment}`;
  const reverse = canReverse && (
    <ReverseMovement movement={movement} base={base} handle={handle} userId={userId} />
  );
  const { id, customer } = movement;
  const refundable = { id, customerName: customer.fullName, left: leftToRefund(movement) };
  const refund = canReverse && scopeOf(role, "money.refund") && (
    <RefundMovement movement={refundable} base={base} />
  );
  const mayReadCustomers = scopeOf(role, "customers.read") !== null;
  return (
    <MovementView
      movement={movement}
      base={base}
      linkCustomer={mayReadCustomers}
      reverse={reverse}
      refund={refund}
    />
  );
}

import { ArrowLeftRightIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { ClearFilters } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { MovementTable } from "@/components/ledger/movement-table";
import { TotalsBar, TotalsSkeleton } from "@/components/ledger/totals-bar";
import { TransactionsFilters } from "@/components/ledger/transactions-filters";
import { EmptyState } from "@/components/ui/empty";
import { customerProfile } from "@/lib/customers/customer";
import { customerIdSchema } from "@/lib/domain/customers";
import { DomainError } from "@/lib/domain/errors";
import { movementsSchema } from "@/lib/domain/movement-queries";
import { PANELS } from "@/lib/domain/panels";
import { scopeOf } from "@/lib/domain/policy";
import { pageContext, pageQuery, type SearchParams } from "@/lib/http/page";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { filterOptions, listMovements } from "@/lib/ledger/read-movements";
import { countIsBlind } from "@/lib/tills/read-shifts";

/** The transactions in the user's scope, with the filters in the URL. */
export async function TransactionsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("movements.read");
  const query = await pageQuery(movementsSchema, searchParams);
  const { cursor, limit: _, sort, ...filter } = query;
  const list = deferRead(listMovements(ctx, query));
  // A worker sees no sum of money while a drawer of theirs is still to be counted.
  const { blind } = await countIsBlind(ctx, {});
  const totals = blind ? null : deferRead(movementTotals(ctx, filter));
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
      {totals ? (
        <Streamed small data={totals} fallback={<TotalsSkeleton />}>
          {(sums) => <TotalsBar totals={sums} />}
        </Streamed>
      ) : (
        <p className="mb-4 text-muted-foreground text-sm">{(await getTranslations("shifts"))("blind")}</p>
      )}
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

import { UsersIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { ComponentProps } from "react";
import { type CustomerRow, CustomerRows } from "@/components/customers/customer-rows";
import { CursorPager } from "@/components/data/cursor-pager";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListCount, ListFrame } from "@/components/data/list-frame";
import { NoRows } from "@/components/data/no-rows";
import { deferRead, ListSkeleton, Streamed } from "@/components/data/streamed";
import { Skeleton } from "@/components/ui/skeleton";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listCustomers } from "@/lib/customers/list-customers";
import {
  CUSTOMER_SHOWS,
  CUSTOMER_STATUSES,
  listCustomersSchema,
  MAX_SEARCH_COUNT,
  SHOW_READS_AT_MOST,
  SORTED_HITS_AT_MOST,
} from "@/lib/customers/model/customers";
import type { CustomerList } from "@/lib/customers/names";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/localized-names";
import { formatCount } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { formatDate } from "@/lib/domain/time";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { filterBy } from "./read-list";

/** A page of customers; `searched`: the list is a part of them, so that counting may stop early. */
function CustomersList({
  page: { customers, total, nextCursor, covered },
  searched,
  filtered,
  withMerchant,
  ...table
}: Omit<ComponentProps<typeof CustomerRows>, "rows"> & {
  page: CustomerList;
  searched: boolean;
  filtered: boolean;
}) {
  const t = useTranslations("customers");
  const locale = useLocale();
  const isCut = searched && total >= MAX_SEARCH_COUNT;
  const rows = customers.map(
    (customer): CustomerRow => ({
      id: customer.id,
      name: customer.fullName,
      balance: customer.balance,
      value: customer.cashValue,
      status: customer.status,
      since: formatDate(customer.registeredAt, locale),
      ...(customer.held > 0 && { held: customer.heldValue }),
      ...(customer.phone && { phone: formatPhone(customer.phone) }),
      ...(customer.email && { email: customer.email }),
      ...(customer.heldByStaff && { staff: true as const }),
      ...(withMerchant && { merchant: merchantName(customer.merchant, locale) }),
    }),
  );
  return (
    <>
      <p className="mb-2 text-muted-foreground text-sm tabular-nums" aria-live="polite">
        {isCut ? t("totalMost", { count: formatCount(total) }) : t("total", { count: total })}
        {covered && (
          <span className="block">
            {t(`covered.${covered.only}`, {
              count: formatCount(covered.only === "hits" ? SORTED_HITS_AT_MOST : SHOW_READS_AT_MOST),
              since: covered.only === "transactions" ? formatDate(covered.since, locale) : "",
            })}
          </span>
        )}
      </p>
      <ListCount count={isCut ? null : total} />
      {rows.length > 0 ? (
        <CustomerRows rows={rows} withMerchant={withMerchant} {...table} />
      ) : (
        <div className="surface">
          <NoRows of="customers" icon={UsersIcon} filtered={filtered} />
        </div>
      )}
      <CursorPager nextCursor={nextCursor} />
    </>
  );
}

export const generateMetadata = pageTitle("panels.titles.customers");

/** The customers in the user's scope, with the filters in the URL. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listCustomers);
  const query = await pageQuery(listCustomersSchema, searchParams);
  const list = deferRead(listCustomers(ctx, query));
  const { search, status, merchantId, show, sort, cursor } = query;
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const [merchants, t] = await Promise.all([
    seesAllMerchants ? merchantOptions(ctx, { merchantId }) : [],
    getTranslations("customers"),
  ]);
  const base = `/${PANELS[ctx.actor.role].segment}`;
  // No column is in the order of the best, who are of one merchant.
  const best = show === "top" && (!seesAllMerchants || merchantId !== undefined);
  const fallback = best ? "best" : "-joined";
  const order = { current: sort ?? fallback, fallback };
  const fields = [
    seesAllMerchants && {
      name: "merchantId",
      label: t("merchant"),
      options: merchants,
      // A saved filter is within one merchant.
      clears: ["show"],
    },
    filterBy("status", t("status"), CUSTOMER_STATUSES, (value) => t(`statuses.${value}`)),
    (!seesAllMerchants || Boolean(merchantId)) &&
      filterBy("show", t("show"), CUSTOMER_SHOWS, (value) => t(`shows.${value}`)),
  ];
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={fields.filter((field) => field !== false)}
        sort={{
          order,
          time: "joined",
          by: [["name", t("name")]],
          otherwise: best ? t("bestFirst") : undefined,
        }}
        actions={
          <ExportLink path={`${base}/customers/export`} query={query}>
            {t("exportCsv")}
          </ExportLink>
        }
      />
      <Streamed
        data={list}
        fallback={
          <>
            <Skeleton className="mb-3 h-4 w-28" />
            <ListSkeleton />
          </>
        }
      >
        {(page) => (
          <CustomersList
            page={page}
            searched={Boolean(search || show)}
            base={base}
            withMerchant={seesAllMerchants}
            filtered={Boolean(search || status || merchantId || show || cursor)}
            order={order}
          />
        )}
      </Streamed>
    </ListFrame>
  );
}

import { UsersIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { CursorPager } from "@/components/data/cursor-pager";
import { ClearFilters } from "@/components/data/filter-bar";
import { ListCount } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import type { ListOrder } from "@/components/data/order";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import {
  type Covered,
  type CustomerList,
  type ListedCustomer,
  MAX_SEARCH_COUNT,
  SHOW_READS_AT_MOST,
  SORTED_HITS_AT_MOST,
} from "@/lib/customers/model/customers";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/merchant-name";
import { formatCount } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { formatDate } from "@/lib/domain/time";
import { type CustomerRow, CustomerRows } from "./customer-rows";

/** The customer count, a page of customers, and a pager. */
export function CustomersList({
  page: { customers, total, nextCursor, covered },
  searched,
  ...table
}: Omit<CustomersTableProps, "customers"> & { page: CustomerList; searched: boolean }) {
  const t = useTranslations("customers");
  const locale = useLocale();
  const isCut = searched && total >= MAX_SEARCH_COUNT;
  return (
    <>
      <p className="mb-2 text-muted-foreground text-sm tabular-nums" aria-live="polite">
        {isCut ? t("totalMost", { count: formatCount(total) }) : t("total", { count: total })}
        {covered && (
          <span className="block">{t(`covered.${covered.only}`, coveredNames(covered, locale))}</span>
        )}
      </p>
      <ListCount count={isCut ? null : total} />
      <CustomersTable customers={customers} {...table} />
      <CursorPager nextCursor={nextCursor} />
    </>
  );
}

/** The values in the sentence about the part that a list looked at. */
const coveredNames = (covered: Covered, locale: Locale) => ({
  count: formatCount(covered.only === "hits" ? SORTED_HITS_AT_MOST : SHOW_READS_AT_MOST),
  since: covered.only === "transactions" ? formatDate(covered.since, locale) : "",
});

export function CustomersSkeleton() {
  return (
    <>
      <div className="mb-2 flex h-5 items-center">
        <Skeleton className="h-4 w-28" />
      </div>
      <ListSkeleton />
    </>
  );
}

type CustomersTableProps = {
  customers: readonly ListedCustomer[];
  base: string;
  withMerchant: boolean;
  filtered: boolean;
  order: ListOrder;
};

/** A page of customers; each row links to the customer's page. */
function CustomersTable({ customers, filtered, withMerchant, ...rest }: CustomersTableProps) {
  const t = useTranslations("customers");
  const locale = useLocale();
  if (customers.length === 0) {
    return (
      <div className="surface">
        <EmptyState
          icon={UsersIcon}
          title={t(filtered ? "noneFound" : "none")}
          description={t(filtered ? "noneFoundText" : "noneText")}
          action={filtered && <ClearFilters />}
        />
      </div>
    );
  }
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
  return <CustomerRows rows={rows} withMerchant={withMerchant} {...rest} />;
}

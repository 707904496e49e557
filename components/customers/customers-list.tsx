import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { CursorPager } from "@/components/data/cursor-pager";
import { ListCount } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { Skeleton } from "@/components/ui/skeleton";
import { type CustomerList, MAX_SEARCH_COUNT } from "@/lib/customers/model/customers";
import { formatCount } from "@/lib/domain/money";
import { CustomersTable } from "./customers-table";

/** The customer count, a page of customers, and a pager. */
export function CustomersList({
  page: { customers, total, nextCursor },
  searched,
  ...table
}: Omit<ComponentProps<typeof CustomersTable>, "customers"> & { page: CustomerList; searched: boolean }) {
  const t = useTranslations("customers");
  return (
    <>
      <p className="mb-3 text-muted-foreground text-sm tabular-nums" aria-live="polite">
        {searched && total >= MAX_SEARCH_COUNT
          ? t("totalMost", { count: formatCount(total) })
          : t("total", { count: total })}
      </p>
      <ListCount count={searched && total >= MAX_SEARCH_COUNT ? null : total} />
      <CustomersTable customers={customers} {...table} />
      <CursorPager nextCursor={nextCursor} />
    </>
  );
}

export function CustomersSkeleton() {
  return (
    <>
      <div className="mb-3 flex h-5 items-center">
        <Skeleton className="h-4 w-28" />
      </div>
      <ListSkeleton tall />
    </>
  );
}

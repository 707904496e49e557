import { getTranslations } from "next-intl/server";
import { CustomersTable } from "@/components/customers/customers-table";
import { CursorPager, FilterBar, FilterSearch, FilterSelect } from "@/components/data";
import { listCustomers } from "@/lib/customers/list-customers";
import { COUNTED_AT_MOST, CUSTOMER_STATUSES } from "@/lib/domain/customers";
import { formatCount } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { listCustomersSchema } from "@/lib/domain/schemas/customers";
import { pageContext } from "@/lib/http/page";
import { pageQuery, type SearchParams } from "@/lib/http/query";
import { filterOptions } from "@/lib/ledger/filter-options";

/** The customers of the reader's reach, with filters kept in the address. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("customers.read");
  const query = await pageQuery(listCustomersSchema, searchParams);
  const [list, { merchants }, t] = await Promise.all([
    listCustomers(ctx, query),
    filterOptions(ctx, {}),
    getTranslations("customers"),
  ]);
  const { search, status, merchantId, cursor } = query;
  const everywhere = ctx.actor.role === "super_admin";
  return (
    <>
      <FilterBar names={["search", "status", "merchantId"]}>
        <FilterSearch label={t("search")} className="sm:w-96" />
        {everywhere && (
          <FilterSelect
            name="merchantId"
            label={t("merchant")}
            options={merchants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <FilterSelect
          name="status"
          label={t("status")}
          options={CUSTOMER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        />
      </FilterBar>
      <p className="mb-3 text-muted-foreground text-sm tabular-nums" aria-live="polite">
        {search && list.total >= COUNTED_AT_MOST
          ? t("totalMost", { count: formatCount(list.total) })
          : t("total", { count: list.total })}
      </p>
      <CustomersTable
        customers={list.customers}
        base={`/${PANELS[ctx.actor.role].segment}`}
        withMerchant={everywhere}
        filtered={Boolean(search || status || merchantId || cursor)}
      />
      <CursorPager nextCursor={list.nextCursor} />
    </>
  );
}

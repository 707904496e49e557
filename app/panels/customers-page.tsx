import { getTranslations } from "next-intl/server";
import { CustomersList, CustomersSkeleton } from "@/components/customers/customers-list";
import {
  FilterBar,
  FilterSearch,
  FilterSelect,
  FilterSort,
  ListFrame,
  Streamed,
  soon,
} from "@/components/data";
import { listCustomers } from "@/lib/customers/list-customers";
import { CUSTOMER_STATUSES } from "@/lib/domain/customers";
import { PANELS } from "@/lib/domain/panels";
import { listCustomersSchema } from "@/lib/domain/schemas/customers";
import { pageContext } from "@/lib/http/page";
import { pageQuery, type SearchParams } from "@/lib/http/query";
import { filterOptions } from "@/lib/ledger/filter-options";

/** The customers of the reader's reach, with filters kept in the address. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("customers.read");
  const query = await pageQuery(listCustomersSchema, searchParams);
  const list = soon(listCustomers(ctx, query));
  const [{ merchants }, t] = await Promise.all([filterOptions(ctx, {}), getTranslations("customers")]);
  const { search, status, merchantId, cursor } = query;
  const everywhere = ctx.actor.role === "super_admin";
  const order = { current: query.sort ?? "-joined", fallback: "-joined" };
  return (
    <ListFrame>
      <FilterBar fold={everywhere} names={["search", "status", "merchantId"]}>
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
        <FilterSort
          order={order}
          fields={[
            { field: "joined", time: true },
            { field: "name", label: t("name") },
          ]}
        />
      </FilterBar>
      <Streamed data={list} fallback={<CustomersSkeleton />}>
        {(page) => (
          <CustomersList
            page={page}
            searched={Boolean(search)}
            base={`/${PANELS[ctx.actor.role].segment}`}
            withMerchant={everywhere}
            filtered={Boolean(search || status || merchantId || cursor)}
            order={order}
          />
        )}
      </Streamed>
    </ListFrame>
  );
}

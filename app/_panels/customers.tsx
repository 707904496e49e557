import { getTranslations } from "next-intl/server";
import { CustomersList, CustomersSkeleton } from "@/components/customers/customers-list";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, Streamed } from "@/components/data/streamed";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { listCustomers } from "@/lib/customers/list-customers";
import { CUSTOMER_SHOWS, CUSTOMER_STATUSES, listCustomersSchema } from "@/lib/customers/model/customers";
import { PANELS } from "@/lib/domain/panels";
import { pageTitle } from "@/lib/i18n/page-title";
import { filterOptions } from "@/lib/ledger/read-movements";

export const customersMetadata = pageTitle("panels.titles.customers");

/** The customers in the user's scope, with the filters in the URL. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listCustomers);
  const query = await pageQuery(listCustomersSchema, searchParams);
  const list = deferRead(listCustomers(ctx, query));
  const { search, status, merchantId, show, sort, cursor } = query;
  const [{ merchants }, t] = await Promise.all([
    filterOptions(ctx, { merchantId }),
    getTranslations("customers"),
  ]);
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const base = `/${PANELS[ctx.actor.role].segment}`;
  // No column is in the order of the best, who are of one merchant.
  const best = show === "top" && (!seesAllMerchants || merchantId !== undefined);
  const fallback = best ? "best" : "-joined";
  const order = { current: sort ?? fallback, fallback };
  const fields = [
    seesAllMerchants && {
      name: "merchantId",
      label: t("merchant"),
      options: merchants.map(({ id, name }) => ({ value: id, label: name })),
      // A saved filter is within one merchant.
      clears: ["show"],
    },
    {
      name: "status",
      label: t("status"),
      options: CUSTOMER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
    },
    (!seesAllMerchants || Boolean(merchantId)) && {
      name: "show",
      label: t("show"),
      options: CUSTOMER_SHOWS.map((value) => ({ value, label: t(`shows.${value}`) })),
    },
  ];
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={fields.filter((field) => field !== false)}
        sort={{
          order,
          otherwise: best ? t("bestFirst") : undefined,
          by: [
            { field: "joined", time: true },
            { field: "name", label: t("name") },
          ],
        }}
        actions={
          <ExportLink path={`${base}/customers/export`} query={query}>
            {t("exportCsv")}
          </ExportLink>
        }
      />
      <Streamed data={list} fallback={<CustomersSkeleton />}>
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

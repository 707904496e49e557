import { DownloadIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { CustomersList, CustomersSkeleton } from "@/components/customers/customers-list";
import { FilterBar, FilterSearch, FilterSelect } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { FilterSort } from "@/components/data/sorting";
import { deferRead, Streamed } from "@/components/data/streamed";
import { DownloadLink } from "@/components/session/download-link";
import { Button } from "@/components/ui/button";
import { listCustomers } from "@/lib/customers/list-customers";
import { CUSTOMER_SHOWS, CUSTOMER_STATUSES, listCustomersSchema } from "@/lib/domain/customers";
import { PANELS } from "@/lib/domain/panels";
import { pageContext, pageQuery, type SearchParams } from "@/lib/http/page";
import { filterOptions } from "@/lib/ledger/read-movements";

/** The customers in the user's scope, with the filters in the URL. */
export async function CustomersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("customers.read");
  const query = await pageQuery(listCustomersSchema, searchParams);
  const list = deferRead(listCustomers(ctx, query));
  const [{ merchants }, t] = await Promise.all([filterOptions(ctx, {}), getTranslations("customers")]);
  const { search, status, merchantId, show, sort, cursor } = query;
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const base = `/${PANELS[ctx.actor.role].segment}`;
  const exported = Object.entries({ search, status, merchantId, show, sort }).flatMap(([key, value]) =>
    value ? [[key, value]] : [],
  );
  const fallback = show === "top" ? "" : "-joined";
  const order = { current: sort ?? fallback, fallback };
  return (
    <ListFrame>
      <FilterBar
        fold
        names={["search", "status", "merchantId", "show"]}
        actions={
          <Button variant="outline" asChild>
            <DownloadLink href={`${base}/customers/export?${new URLSearchParams(exported)}`}>
              <DownloadIcon aria-hidden /> {t("exportCsv")}
            </DownloadLink>
          </Button>
        }
      >
        <FilterSearch label={t("search")} className="sm:w-96" />
        {seesAllMerchants && (
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
        {(!seesAllMerchants || merchantId) && (
          <FilterSelect
            name="show"
            label={t("show")}
            options={CUSTOMER_SHOWS.map((value) => ({ value, label: t(`shows.${value}`) }))}
          />
        )}
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

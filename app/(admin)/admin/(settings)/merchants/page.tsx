import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead } from "@/components/data/streamed";
import { StreamedList } from "@/components/data/streamed-list";
import { MerchantsTable } from "@/components/merchants/merchants-table";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { formatCount } from "@/lib/domain/money";
import { pageTitle } from "@/lib/i18n/page-title";
import { MERCHANT_STATUSES, merchantsSchema } from "@/lib/merchants/model/merchant";
import { countMerchants, listMerchants } from "@/lib/merchants/read-merchants";

export const generateMetadata = pageTitle("panels.titles.merchants");

export default async function MerchantsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(countMerchants);
  const query = await pageQuery(merchantsSchema, searchParams);
  const list = deferRead(listMerchants(ctx, query));
  const counts = await countMerchants(ctx, {});
  const order = { current: query.sort ?? "-received", fallback: "-received" };
  const t = await getTranslations("merchants");
  const statuses = await getTranslations("status");
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={[
          {
            name: "status",
            label: t("status"),
            options: MERCHANT_STATUSES.map((value) => ({
              value,
              label: `${statuses(value)} (${formatCount(counts[value])})`,
            })),
          },
        ]}
        sort={{
          order,
          by: [
            { field: "received", time: true },
            { field: "name", label: t("business") },
          ],
        }}
      />
      <StreamedList data={list}>
        {(page) => (
          <MerchantsTable
            merchants={page.results}
            filtered={Boolean(query.search ?? query.status ?? query.cursor)}
            order={order}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}

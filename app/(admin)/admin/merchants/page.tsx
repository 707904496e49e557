import { getTranslations } from "next-intl/server";
import { CursorPager, FilterBar, FilterSearch, FilterSelect } from "@/components/data";
import { MerchantsTable } from "@/components/merchants/merchants-table";
import { MERCHANT_STATUSES, merchantsSchema } from "@/lib/domain/merchant";
import { formatCount } from "@/lib/domain/money";
import { pageContext } from "@/lib/http/page";
import { pageQuery, type SearchParams } from "@/lib/http/query";
import { countMerchants, listMerchants } from "@/lib/merchants/list-merchants";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("merchants") };
}

export default async function MerchantsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("merchants.read");
  const query = await pageQuery(merchantsSchema, searchParams);
  const [page, counts] = await Promise.all([listMerchants(ctx, query), countMerchants(ctx, {})]);
  const t = await getTranslations("merchants");
  const statuses = await getTranslations("status");
  return (
    <>
      <FilterBar names={["search", "status"]}>
        <FilterSearch label={t("search")} />
        <FilterSelect
          name="status"
          label={t("status")}
          options={MERCHANT_STATUSES.map((value) => ({
            value,
            label: `${statuses(value)} (${formatCount(counts[value])})`,
          }))}
        />
      </FilterBar>
      <MerchantsTable
        merchants={page.results}
        filtered={Boolean(query.search ?? query.status ?? query.cursor)}
      />
      <CursorPager nextCursor={page.nextCursor} />
    </>
  );
}

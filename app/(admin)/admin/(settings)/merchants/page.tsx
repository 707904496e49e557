import { StoreIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { filterBy, readList } from "@/app/_panels/read-list";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { MerchantName, NameAndEmail } from "@/components/data/names";
import { StatusBadge, SuspendedBadge } from "@/components/data/status-badge";
import { Badge } from "@/components/ui/badge";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatPhone } from "@/lib/domain/contact";
import { formatCount } from "@/lib/domain/money";
import { formatDate } from "@/lib/domain/time";
import { MERCHANT_STATUSES, merchantsSchema } from "@/lib/merchants/model/merchant";
import type { MerchantSummary } from "@/lib/merchants/names";
import { countMerchants, listMerchants } from "@/lib/merchants/read-merchants";

async function merchantColumns(): Promise<Column<MerchantSummary>[]> {
  const t = await getTranslations("merchants");
  const locale = await getLocale();
  return [
    {
      header: t("business"),
      sort: "name",
      primary: true,
      cell: (merchant) => <MerchantName of={merchant} />,
    },
    { header: t("owner"), cell: (merchant) => <NameAndEmail of={merchant} /> },
    {
      header: t("phone"),
      wide: true,
      cell: (merchant) => (
        <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
          {formatPhone(merchant.phone)}
        </bdi>
      ),
    },
    {
      header: t("branches"),
      align: "end",
      wide: true,
      cell: (merchant) => formatCount(merchant.branches),
    },
    {
      header: t("status"),
      phone: "aside",
      cell: ({ status, applications, suspendedAt }) => (
        <span className="badges">
          <StatusBadge status={status} />
          {applications > 1 && status === "pending" && (
            <Badge variant="secondary">{t("again.badge", { count: applications })}</Badge>
          )}
          {suspendedAt && <SuspendedBadge />}
        </span>
      ),
    },
    {
      header: t("received"),
      sort: "received",
      cell: (merchant) => formatDate(merchant.createdAt, locale),
    },
  ];
}

export const generateMetadata = pageTitle("panels.titles.merchants");

export default async function MerchantsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(countMerchants);
  const { list } = await readList(merchantsSchema, searchParams, (query) => listMerchants(ctx, query));
  const counts = await countMerchants(ctx, {});
  const t = await getTranslations("merchants");
  const statuses = await getTranslations("status");
  return (
    <ListPage
      list={list}
      filters={{
        search: t("search"),
        fields: [
          filterBy(
            "status",
            t("status"),
            MERCHANT_STATUSES,
            (value) => `${statuses(value)} (${formatCount(counts[value])})`,
          ),
        ],
      }}
      sorts={{ time: "received", by: [["name", t("business")]] }}
      caption={t("caption")}
      columns={await merchantColumns()}
      rowHref={({ id }) => `/admin/merchants/${id}`}
      of="merchants"
      icon={StoreIcon}
    />
  );
}

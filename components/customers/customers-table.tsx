import { BanIcon, CircleCheckIcon, SnowflakeIcon, UsersIcon, UserXIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable, EmptyState, type ListOrder, Money } from "@/components/data";
import { Badge } from "@/components/ui/badge";
import { formatPhone } from "@/lib/domain/contact";
import type { CustomerStatus, ListedCustomer } from "@/lib/domain/customers";
import type { Locale } from "@/lib/domain/roles";
import { formatDate } from "@/lib/domain/time";

/** A page of customers, each leading to the own page. */
export function CustomersTable({
  customers,
  base,
  withMerchant,
  filtered,
  order,
}: {
  customers: readonly ListedCustomer[];
  base: string;
  withMerchant: boolean;
  filtered: boolean;
  order: ListOrder;
}) {
  const t = useTranslations("customers");
  const locale = useLocale() as Locale;
  const columns: (Column<ListedCustomer> | false)[] = [
    { key: "name", header: t("name"), sort: "name", primary: true, cell: (one) => <bdi>{one.fullName}</bdi> },
    {
      key: "phone",
      header: t("phone"),
      phone: "line",
      cell: (one) => (
        <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
          {one.phone ? formatPhone(one.phone) : "–"}
        </bdi>
      ),
    },
    {
      key: "email",
      header: t("email"),
      wide: true,
      cell: (one) => (
        <bdi dir="ltr" className="block max-w-52 truncate" title={one.email ?? undefined}>
          {one.email ?? "–"}
        </bdi>
      ),
    },
    withMerchant && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      className: "md:whitespace-nowrap",
      cell: (one) => <bdi>{one.merchant.businessName}</bdi>,
    },
    {
      key: "balance",
      header: t("balance"),
      align: "end",
      phone: "aside",
      cell: (one) => (
        <Money points={one.balance} value={one.cashValue} layout="stack" className="items-end" />
      ),
    },
    {
      key: "status",
      header: t("status"),
      phone: "line",
      cell: (one) => <CustomerStatusBadge status={one.status} />,
    },
    {
      key: "since",
      header: t("since"),
      sort: "joined",
      wide: true,
      className: "whitespace-nowrap",
      cell: (one) => formatDate(one.registeredAt, locale),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns.filter((column) => column !== false)}
      rows={customers}
      order={order}
      rowKey={(one) => one.id}
      rowHref={(one) => `${base}/customers/${one.id}`}
      empty={
        filtered ? (
          <EmptyState icon={UsersIcon} title={t("noneFound")} description={t("noneFoundText")} />
        ) : (
          <EmptyState icon={UsersIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}

const KINDS = {
  active: { variant: "success", Icon: CircleCheckIcon },
  blocked: { variant: "destructive", Icon: BanIcon },
  frozen: { variant: "warning", Icon: SnowflakeIcon },
  erased: { variant: "secondary", Icon: UserXIcon },
} as const satisfies Record<CustomerStatus, unknown>;

export function CustomerStatusBadge({ status }: { status: CustomerStatus }) {
  const t = useTranslations("customers.statuses");
  const { variant, Icon } = KINDS[status];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden /> {t(status)}
    </Badge>
  );
}

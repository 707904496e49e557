import { BanIcon, CircleCheckIcon, IdCardIcon, SnowflakeIcon, UsersIcon, UserXIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable, EmptyState, type ListOrder, Money } from "@/components/data";
import { ClearFilters } from "@/components/data/filter-bar";
import { Badge } from "@/components/ui/badge";
import { formatPhone } from "@/lib/domain/contact";
import type { CustomerStatus, ListedCustomer } from "@/lib/domain/customers";
import type { Locale } from "@/lib/domain/roles";
import { formatDate } from "@/lib/domain/time";

/** A page of customers; each row links to the customer's page. */
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
    {
      key: "name",
      header: t("name"),
      sort: "name",
      primary: true,
      cell: (customer) => <bdi>{customer.fullName}</bdi>,
    },
    {
      key: "phone",
      header: t("phone"),
      phone: "line",
      cell: (customer) => (
        <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
          {customer.phone ? formatPhone(customer.phone) : "–"}
        </bdi>
      ),
    },
    {
      key: "email",
      header: t("email"),
      wide: true,
      cell: (customer) => (
        <bdi dir="ltr" className="block max-w-52 truncate" title={customer.email ?? undefined}>
          {customer.email ?? "–"}
        </bdi>
      ),
    },
    withMerchant && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      className: "md:whitespace-nowrap",
      cell: (customer) => <bdi>{customer.merchant.businessName}</bdi>,
    },
    {
      key: "balance",
      header: t("balance"),
      align: "end",
      phone: "aside",
      cell: (customer) => (
        <Money points={customer.balance} value={customer.cashValue} layout="stack" className="items-end" />
      ),
    },
    {
      key: "status",
      header: t("status"),
      phone: "line",
      cell: (customer) => (
        <span className="flex flex-wrap items-center gap-1">
          <CustomerStatusBadge status={customer.status} />
          {customer.heldByStaff && <StaffCardBadge />}
        </span>
      ),
    },
    {
      key: "since",
      header: t("since"),
      sort: "joined",
      wide: true,
      className: "whitespace-nowrap",
      cell: (customer) => formatDate(customer.registeredAt, locale),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns.filter((column) => column !== false)}
      rows={customers}
      order={order}
      rowKey={(customer) => customer.id}
      rowHref={(customer) => `${base}/customers/${customer.id}`}
      empty={
        filtered ? (
          <EmptyState
            icon={UsersIcon}
            title={t("noneFound")}
            description={t("noneFoundText")}
            action={<ClearFilters />}
          />
        ) : (
          <EmptyState icon={UsersIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}

/** Marks a card that carries an e-mail or phone of the merchant's staff. */
export function StaffCardBadge() {
  const t = useTranslations("customers");
  return (
    <Badge variant="warning">
      <IdCardIcon aria-hidden /> {t("heldByStaff")}
    </Badge>
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

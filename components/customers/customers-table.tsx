import { BanIcon, CircleCheckIcon, IdCardIcon, SnowflakeIcon, UsersIcon, UserXIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { ClearFilters } from "@/components/data/filter-bar";
import { Money } from "@/components/data/money";
import type { ListOrder } from "@/components/data/order";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import { Sprite, SpriteIcon } from "@/components/ui/sprite";
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
      cell: (customer) => <Money points={customer.balance} value={customer.cashValue} layout="stack" />,
    },
    {
      key: "status",
      header: t("status"),
      phone: "line",
      cell: (customer) => (
        <span className="badges">
          <CustomerStatusBadge sprite status={customer.status} />
          {customer.heldByStaff && <StaffCardBadge sprite />}
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
    <>
      <CustomerSprite customers={customers} />
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
    </>
  );
}

/** Marks a card that carries an e-mail or phone of the merchant's staff. */
export function StaffCardBadge({ sprite = false }: { sprite?: boolean }) {
  const t = useTranslations("customers");
  return (
    <Badge variant="warning">
      {sprite ? <SpriteIcon of="card" name="staff" /> : <IdCardIcon aria-hidden />} {t("heldByStaff")}
    </Badge>
  );
}

const KINDS = {
  active: { variant: "success", Icon: CircleCheckIcon },
  blocked: { variant: "destructive", Icon: BanIcon },
  frozen: { variant: "warning", Icon: SnowflakeIcon },
  erased: { variant: "secondary", Icon: UserXIcon },
} as const satisfies Record<CustomerStatus, unknown>;

/** The icons of the badges of these customers, for a list's `sprite` badges. */
function CustomerSprite({ customers }: { customers: readonly ListedCustomer[] }) {
  const statuses = [...new Set(customers.map(({ status }) => status))];
  const icons = Object.fromEntries(statuses.map((status) => [status, KINDS[status].Icon]));
  const staff = customers.some(({ heldByStaff }) => heldByStaff);
  return <Sprite of="card" icons={staff ? { ...icons, staff: IdCardIcon } : icons} />;
}

/** The status of a card. `sprite` takes the icon from the list's CustomerSprite. */
export function CustomerStatusBadge({
  status,
  sprite = false,
}: {
  status: CustomerStatus;
  sprite?: boolean;
}) {
  const t = useTranslations("customers.statuses");
  const { variant, Icon } = KINDS[status];
  return (
    <Badge variant={variant}>
      {sprite ? <SpriteIcon of="card" name={status} /> : <Icon aria-hidden />} {t(status)}
    </Badge>
  );
}

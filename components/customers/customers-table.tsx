import { IdCardIcon, UsersIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { ClearFilters } from "@/components/data/filter-bar";
import type { ListOrder } from "@/components/data/order";
import { EmptyState } from "@/components/ui/empty";
import { Sprite } from "@/components/ui/sprite";
import { formatPhone } from "@/lib/domain/contact";
import type { ListedCustomer } from "@/lib/domain/customers";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { formatDate } from "@/lib/domain/time";
import { CUSTOMER_KINDS } from "./customer-badges";
import type { BlockManyAction, CustomerRow } from "./customer-row";
import { CustomerRows } from "./customer-rows";

type CustomersTableProps = {
  customers: readonly ListedCustomer[];
  base: string;
  withMerchant: boolean;
  filtered: boolean;
  order: ListOrder;
  blockMany: BlockManyAction;
};

/** A page of customers; each row links to the customer's page. */
export function CustomersTable({ customers, filtered, withMerchant, ...rest }: CustomersTableProps) {
  const t = useTranslations("customers");
  const locale = useLocale() as Locale;
  if (customers.length === 0) {
    return (
      <div className="surface">
        <EmptyState
          icon={UsersIcon}
          title={t(filtered ? "noneFound" : "none")}
          description={t(filtered ? "noneFoundText" : "noneText")}
          action={filtered && <ClearFilters />}
        />
      </div>
    );
  }
  const rows = customers.map(
    (customer): CustomerRow => ({
      id: customer.id,
      name: customer.fullName,
      balance: customer.balance,
      value: customer.cashValue,
      status: customer.status,
      since: formatDate(customer.registeredAt, locale),
      ...(customer.phone && { phone: formatPhone(customer.phone) }),
      ...(customer.email && { email: customer.email }),
      ...(customer.heldByStaff && { staff: true as const }),
      ...(withMerchant && { merchant: merchantName(customer.merchant, locale) }),
    }),
  );
  return (
    <>
      <CustomerSprite customers={customers} />
      <CustomerRows rows={rows} withMerchant={withMerchant} {...rest} />
    </>
  );
}

/** The icons of the badges of these customers. */
function CustomerSprite({ customers }: { customers: readonly ListedCustomer[] }) {
  const statuses = [...new Set(customers.map(({ status }) => status))];
  const icons = Object.fromEntries(statuses.map((status) => [status, CUSTOMER_KINDS[status].Icon]));
  const staff = customers.some(({ heldByStaff }) => heldByStaff);
  return <Sprite of="card" icons={staff ? { ...icons, staff: IdCardIcon } : icons} />;
}

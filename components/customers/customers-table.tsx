import { UsersIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { ClearFilters } from "@/components/data/filter-bar";
import type { ListOrder } from "@/components/data/order";
import { EmptyState } from "@/components/ui/empty";
import type { ListedCustomer } from "@/lib/customers/model/customers";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { formatDate } from "@/lib/domain/time";
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
  return <CustomerRows rows={rows} withMerchant={withMerchant} {...rest} />;
}

import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { ListedCustomer } from "./model/customers";

/** Customers as a CSV download in the user's language. The response is streamed. */
export function customersCsv(
  locale: Locale,
  parts: AsyncIterable<ListedCustomer[]>,
  now = new Date(),
): Response {
  const t = translator(locale);
  return csvTable(
    `customers-${qatarDay(now)}.csv`,
    parts,
    {
      publicId: (customer) => customer.publicId,
      fullName: (customer) => customer.fullName,
      email: (customer) => customer.email,
      phone: (customer) => customer.phone,
      status: (customer) => t(`customers.statuses.${customer.status}`),
      points: (customer) => customer.balance,
      value: (customer) => Number(customer.cashValue),
      since: (customer) => qatarDay(customer.registeredAt),
      merchant: (customer) => merchantName(customer.merchant, locale),
      code: (customer) => customer.code,
    },
    (column) => t(`customers.csv.${column}`),
  );
}

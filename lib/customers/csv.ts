import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvLine, csvResponse, linesOf } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { ListedCustomer } from "./model/customers";

const CUSTOMER_COLUMNS = [
  "publicId",
  "fullName",
  "email",
  "phone",
  "status",
  "points",
  "value",
  "since",
  "merchant",
  "code",
] as const;

/** Customers as a CSV download in the user's language. The response is streamed. */
export function customersCsv(
  locale: Locale,
  parts: AsyncIterable<ListedCustomer[]>,
  now = new Date(),
): Response {
  const t = translator(locale);
  const lines = linesOf(parts, (customer) =>
    csvLine([
      customer.publicId,
      customer.fullName,
      customer.email,
      customer.phone,
      t(`customers.statuses.${customer.status}`),
      customer.balance,
      Number(customer.cashValue),
      qatarDay(customer.registeredAt),
      merchantName(customer.merchant, locale),
      customer.code,
    ]),
  );
  const header = csvLine(CUSTOMER_COLUMNS.map((column) => t(`customers.csv.${column}`)));
  return csvResponse(`customers-${qatarDay(now)}.csv`, header, lines);
}

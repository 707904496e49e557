import { exportCustomers } from "@/lib/customers/list-customers";
import { customersFilterSchema, type ListedCustomer } from "@/lib/domain/customers";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { type Worker, workersFilterSchema } from "@/lib/domain/worker";
import { csvLine, csvResponse } from "@/lib/http/csv";
import { downloadContext, pageQuery } from "@/lib/http/page";
import { confirmedDownload } from "@/lib/http/step-up";
import { translator } from "@/lib/i18n/translate";
import { exportWorkers } from "@/lib/workers/export-workers";

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
] as const;
const WORKER_COLUMNS = [
  "firstName",
  "lastName",
  "email",
  "phone",
  "status",
  "branch",
  "added",
  "merchant",
] as const;

async function* linesOf<T>(parts: AsyncIterable<T[]>, line: (row: T) => string): AsyncGenerator<string> {
  for await (const part of parts) yield part.map(line).join("");
}

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
    ]),
  );
  const header = csvLine(CUSTOMER_COLUMNS.map((column) => t(`customers.csv.${column}`)));
  return csvResponse(`customers-${qatarDay(now)}.csv`, header, lines);
}

/** Workers as a CSV download in the user's language. The response is streamed. */
function workersCsv(locale: Locale, parts: AsyncIterable<Worker[]>, now = new Date()): Response {
  const t = translator(locale);
  const lines = linesOf(parts, (worker) =>
    csvLine([
      worker.firstName,
      worker.lastName,
      worker.email,
      worker.phone,
      t(`workers.statuses.${worker.status}`),
      worker.branch?.name ?? null,
      qatarDay(worker.createdAt),
      merchantName(worker.merchant, locale),
    ]),
  );
  const header = csvLine(WORKER_COLUMNS.map((column) => t(`workers.csv.${column}`)));
  return csvResponse(`workers-${qatarDay(now)}.csv`, header, lines);
}

const queryOf = (request: Request) => Promise.resolve(Object.fromEntries(new URL(request.url).searchParams));

/** The filtered customers as a CSV download (403 until the user confirmed who they are). */
export async function downloadCustomers(request: Request): Promise<Response> {
  const ctx = await downloadContext("customers.read");
  const filter = await pageQuery(customersFilterSchema, queryOf(request));
  return confirmedDownload(ctx, exportCustomers, filter, async () =>
    customersCsv(ctx.locale, await exportCustomers(ctx, filter), ctx.clock()),
  );
}

/** The filtered workers as a CSV download (403 until the user confirmed who they are). */
export async function downloadWorkers(request: Request): Promise<Response> {
  const ctx = await downloadContext("workers.manage");
  const filter = await pageQuery(workersFilterSchema, queryOf(request));
  return confirmedDownload(ctx, exportWorkers, filter, async () =>
    workersCsv(ctx.locale, await exportWorkers(ctx, filter), ctx.clock()),
  );
}

import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { Worker } from "./model";

/** Workers as a CSV download in the user's language. The response is streamed. */
export function workersCsv(locale: Locale, parts: AsyncIterable<Worker[]>, now = new Date()): Response {
  const t = translator(locale);
  return csvTable(
    `workers-${qatarDay(now)}.csv`,
    parts,
    {
      firstName: (worker) => worker.firstName,
      lastName: (worker) => worker.lastName,
      email: (worker) => worker.email,
      phone: (worker) => worker.phone,
      status: (worker) => t(`workers.statuses.${worker.status}`),
      branch: (worker) => worker.branch?.name ?? null,
      added: (worker) => qatarDay(worker.createdAt),
      merchant: (worker) => merchantName(worker.merchant, locale),
    },
    (column) => t(`workers.csv.${column}`),
  );
}

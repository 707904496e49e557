import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvLine, csvResponse, linesOf } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { Worker } from "./model";

const COLUMNS = ["firstName", "lastName", "email", "phone", "status", "branch", "added", "merchant"] as const;

/** Workers as a CSV download in the user's language. The response is streamed. */
export function workersCsv(locale: Locale, parts: AsyncIterable<Worker[]>, now = new Date()): Response {
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
  const header = csvLine(COLUMNS.map((column) => t(`workers.csv.${column}`)));
  return csvResponse(`workers-${qatarDay(now)}.csv`, header, lines);
}

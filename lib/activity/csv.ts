import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvLine, csvResponse, linesOf } from "@/lib/files/csv";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { translator } from "@/lib/i18n/translate";
import type { Activity } from "./model";

const COLUMNS = [
  "time",
  "who",
  "what",
  "merchant",
  "address",
  "device",
  "action",
  "before",
  "after",
  "reference",
] as const;

// A spreadsheet shows the marks that isolate a name's direction.
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");
const json = (values: Activity["before"]) => values && JSON.stringify(values);

/** The audit log as a CSV download in the user's language. The response is streamed. */
export function activityCsv(locale: Locale, parts: AsyncIterable<Activity[]>, now = new Date()): Response {
  const t = translator(locale);
  const line = (entry: Activity) =>
    csvLine([
      qatarTimestamp(entry.createdAt),
      plain(activityActor(locale, entry)),
      plain(activityText(locale, entry)),
      entry.merchant && merchantName(entry.merchant, locale),
      entry.address,
      entry.device,
      entry.action,
      json(entry.before),
      json(entry.after),
      entry.id,
    ]);
  const header = csvLine(COLUMNS.map((column) => t(`activity.csv.${column}`)));
  return csvResponse(`activity-${qatarDay(now)}.csv`, header, linesOf(parts, line));
}

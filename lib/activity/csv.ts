import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { activityActor, activityText } from "@/lib/i18n/activity";
import { translator } from "@/lib/i18n/translate";
import type { Activity } from "./model";

// A spreadsheet shows the marks that isolate a name's direction.
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");
const json = (values: Activity["before"]) => values && JSON.stringify(values);

/** The audit log as a CSV download in the user's language. The response is streamed. */
export function activityCsv(locale: Locale, parts: AsyncIterable<Activity[]>, now = new Date()): Response {
  const t = translator(locale);
  return csvTable(
    `activity-${qatarDay(now)}.csv`,
    parts,
    {
      time: (entry) => qatarTimestamp(entry.createdAt),
      who: (entry) => plain(activityActor(locale, entry)),
      what: (entry) => plain(activityText(locale, entry)),
      merchant: (entry) => entry.merchant && merchantName(entry.merchant, locale),
      address: (entry) => entry.address,
      device: (entry) => entry.device,
      action: (entry) => entry.action,
      before: (entry) => json(entry.before),
      after: (entry) => json(entry.after),
      reference: (entry) => entry.id,
    },
    (column) => t(`activity.csv.${column}`),
  );
}

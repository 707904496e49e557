import { activityCsv } from "@/lib/activity/csv";
import { exportActivity } from "@/lib/activity/read-activity";
import { download } from "@/lib/api/download";
import { activityFilterSchema } from "@/lib/domain/activity";

/** The filtered activity as a CSV file. */
export const downloadActivity = download(exportActivity, {
  query: activityFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale }) => activityCsv(locale, parts),
});

import { activityCsv } from "@/lib/activity/csv";
import { activityFilterSchema } from "@/lib/activity/model";
import { exportActivity } from "@/lib/activity/read-activity";
import { download } from "@/lib/api/download";

/** The filtered activity as a CSV file. */
export const downloadActivity = download(exportActivity, {
  query: activityFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale }) => activityCsv(locale, parts),
});

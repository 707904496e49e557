import { bind, tagged } from "@/lib/calls/bind";
import { activityCalls } from "./names";
import { activityCsv, activityReport } from "./read-activity";

export const activityApi = tagged("Activity", [
  bind(activityCalls.activityReport, activityReport, {
    summary:
      "The audit log: who did what, from where, with the values before and after, newest first; format=csv answers a file.",
    download: {
      contentType: "text/csv",
      from: ({ format, parts }, ctx) => (format === "csv" ? activityCsv(ctx.locale, parts) : null),
    },
  }),
]);

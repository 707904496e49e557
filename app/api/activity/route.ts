import { activityCsv } from "@/app/_panels/activity-csv";
import { activityReport } from "@/lib/activity/read-activity";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { activityQuery, activityReply } from "@/lib/http/wire/activity";

export const GET = route({
  run: activityReport,
  summary:
    "The audit log: who did what, from where, with the values before and after, newest first; format=csv answers a file.",
  tag: "Activity",
  query: activityQuery,
  reply: activityReply,
  download: {
    contentType: "text/csv",
    from: (report, ctx) => ("parts" in report ? activityCsv(ctx.locale, report.parts) : null),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

import { type ApiRow, bind } from "@/lib/calls/bind";
import { markNotices, readNotices } from "@/lib/notices/notices";
import { activityCsv } from "./csv";
import { activityCalls } from "./names";
import { activityReport } from "./read-activity";

/** The calls of activity with their operations. */
export const activityApi: readonly ApiRow[] = [
  bind(activityCalls.activityReport, activityReport, {
    summary:
      "The audit log: who did what, from where, with the values before and after, newest first; format=csv answers a file.",
    tag: "Activity",
    download: {
      contentType: "text/csv",
      from: (report, ctx) => ("parts" in report ? activityCsv(ctx.locale, report.parts) : null),
    },
  }),
  bind(activityCalls.readNotices, readNotices, {
    summary:
      "What an owner, or the administrators, should look at, of the last 90 days, newest first, and how many are unread.",
    tag: "Activity",
  }),
  bind(activityCalls.markNotices, markNotices, {
    summary: "Marks the user's notices up to a moment as seen, and answers how many are unread.",
    tag: "Activity",
    example: { dSeenTo: "2026-11-22T09:00:00.000Z" },
  }),
];

import { bind, tagged } from "@/lib/calls/bind";
import { noticeCalls } from "./names";
import { markNotices, readNotices } from "./notices";

export const noticeApi = tagged("Activity", [
  bind(noticeCalls.readNotices, readNotices, {
    summary:
      "What an owner, or the administrators, should look at, of the last 90 days, newest first, and how many are unread.",
  }),
  bind(noticeCalls.markNotices, markNotices, {
    summary: "Marks the user's notices up to a moment as seen, and answers how many are unread.",
    example: { dSeenTo: "2026-11-22T09:00:00.000Z" },
  }),
]);

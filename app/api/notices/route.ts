import { readNotices } from "@/lib/activity/notices";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { noticesQuery, noticesReply } from "@/lib/http/wire/notices";

export const GET = route({
  run: readNotices,
  summary:
    "What an owner, or the administrators, should look at, of the last 90 days, newest first, and how many are unread.",
  tag: "Activity",
  query: noticesQuery,
  reply: noticesReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

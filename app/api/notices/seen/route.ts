import { markNotices } from "@/lib/activity/notices";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { seenBody, seenReply } from "@/lib/http/wire/notices";

export const PUT = route({
  run: markNotices,
  summary: "Marks the user's notices up to a moment as seen, and answers how many are unread.",
  tag: "Activity",
  body: seenBody,
  example: { dSeenTo: "2026-11-22T09:00:00.000Z" },
  reply: seenReply,
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");

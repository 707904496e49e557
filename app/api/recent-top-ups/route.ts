import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { recentQuery, recentReply } from "@/lib/http/wire/money";
import { recentMovements } from "@/lib/ledger/read-movements";

export const GET = route({
  run: recentMovements,
  summary:
    "The latest top-ups of the caller's reach, newest first; undoUntil says until when one may be undone.",
  tag: "Counter",
  query: recentQuery,
  more: () => ({ type: "TOP_UP" as const }),
  reply: recentReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

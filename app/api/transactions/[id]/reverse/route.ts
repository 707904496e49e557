import { route } from "@/lib/http/route";
import { receiptReply, replayedHeader, reverseWire } from "@/lib/http/wire/money";
import { reverse } from "@/lib/ledger/move-points";

export const POST = route({
  run: reverse,
  summary: "Posts the opposite of a movement; asked again it answers the same reversal.",
  tag: "Counter",
  params: { id: "movementId" },
  body: reverseWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.reversed",
  limit: "money",
  example: { sReason: "Wrong customer" },
});

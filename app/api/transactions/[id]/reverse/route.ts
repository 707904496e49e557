import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { receiptReply, replayedHeader, reverseWire } from "@/lib/http/wire/money";
import { reverse } from "@/lib/ledger/move-points";

export const POST = route({
  run: reverse,
  summary: "Reverses a movement by posting its opposite. A repeated request answers the same reversal.",
  tag: "Counter",
  params: { id: "movementId" },
  body: reverseWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.reversed",
  limit: "money",
  example: { sReason: "Wrong customer" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

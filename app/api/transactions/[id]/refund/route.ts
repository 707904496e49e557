import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { receiptReply, refundWire, replayedHeader } from "@/lib/http/wire/money";
import { refund } from "@/lib/ledger/move-points";

export const POST = route({
  run: refund,
  summary: "Refunds a redemption or a part of it: paid points first, then the bonus it used.",
  tag: "Counter",
  params: { id: "movementId" },
  body: refundWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.refunded",
  limit: "money",
  example: { sPoints: 15, sReason: "One of two coffees returned", sSaleRef: "INV-1043" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

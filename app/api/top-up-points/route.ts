import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { receiptReply, replayedHeader, topUpWire } from "@/lib/http/wire/money";
import { topUp } from "@/lib/ledger/move-points";

export const POST = route({
  run: topUp,
  summary: "Adds points to a customer's balance at a branch of the merchant that holds the card.",
  tag: "Counter",
  body: topUpWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.toppedUp",
  limit: "money",
  example: {
    customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
    sPoints: 100,
    iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
    eTender: "card",
    sSaleRef: "INV-1042",
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

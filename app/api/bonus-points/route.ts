import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { bonusWire, receiptReply, replayedHeader } from "@/lib/http/wire/money";
import { giveBonus } from "@/lib/ledger/move-points";

export const POST = route({
  run: giveBonus,
  summary:
    "Gives a customer bonus points, which are good through the day dEndsAt in Qatar, or for ever without one.",
  tag: "Counter",
  body: bonusWire,
  reply: receiptReply,
  headers: replayedHeader,
  message: "api.bonusGiven",
  limit: "money",
  example: {
    customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
    sPoints: 50,
    iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
    sReason: "National Day",
    dEndsAt: "2026-12-31",
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

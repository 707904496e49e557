import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { redeemReply, redeemWire, replayedHeader } from "@/lib/http/wire/money";
import { redeem } from "@/lib/ledger/move-points";

export const POST = route({
  run: redeem,
  summary:
    "Takes points from a customer's balance. Past the day's allowance it answers 403 proof_required until sProof holds the card's live code or the mailed code.",
  tag: "Counter",
  body: redeemWire,
  reply: redeemReply,
  headers: replayedHeader,
  message: "api.redeemed",
  limit: "money",
  example: {
    customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
    sPoints: 40,
    iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
    sSaleRef: "INV-1043",
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

import { sendRedeemCode } from "@/lib/counter/send-redeem-code";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { redeemCodeReply, redeemCodeWire } from "@/lib/http/wire/counter";

export const POST = route({
  run: sendRedeemCode,
  summary:
    "Mails the customer the six digits that prove they stand at the counter, good for 300 seconds: sProof of a redeem of sPoints or less. Without sPoints the code is good for the merchant's daily allowance.",
  tag: "Counter",
  body: redeemCodeWire,
  reply: redeemCodeReply,
  message: "api.otpSent",
  example: { customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57", sPoints: 80 },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

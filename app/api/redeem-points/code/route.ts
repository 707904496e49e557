import { sendRedeemCode } from "@/lib/counter/send-redeem-code";
import { route } from "@/lib/http/route";
import { redeemCodeReply } from "@/lib/http/wire/counter";
import { same } from "@/lib/http/wire/names";

export const POST = route({
  run: sendRedeemCode,
  summary:
    "Mails the customer the six digits that prove they stand at the counter, good for 300 seconds: sProof of a redeem.",
  tag: "Counter",
  body: same("customerId"),
  reply: redeemCodeReply,
  message: "api.otpSent",
  example: { customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57" },
});

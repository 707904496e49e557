import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { merchantReply } from "@/lib/http/wire/merchant";
import { suspensionWire } from "@/lib/http/wire/settings";
import { suspendMerchant } from "@/lib/merchants/suspend-merchant";

export const PUT = route({
  run: suspendMerchant,
  summary: "Suspends a merchant (with sReason) or ends its suspension, and emails its owner.",
  tag: "Merchants",
  params: idParams,
  body: suspensionWire,
  reply: merchantReply,
  message: "api.merchantSuspension",
  example: { bSuspended: true, sReason: "The trade licence has expired." },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");

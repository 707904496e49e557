import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { approvalWire, merchantReply } from "@/lib/http/wire/merchant";
import { decideMerchant } from "@/lib/merchants/decide-merchant";

export const PUT = route({
  run: decideMerchant,
  summary: "Approves (A) or rejects (R, with sReason) a merchant, and emails its owner.",
  tag: "Merchants",
  params: idParams,
  body: approvalWire,
  reply: merchantReply,
  message: "api.merchantDecided",
  example: { eStatus: "A" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");

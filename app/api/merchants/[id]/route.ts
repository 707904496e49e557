import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { merchantReply } from "@/lib/http/wire/merchant";
import { getMerchant } from "@/lib/merchants/read-merchants";

export const GET = route({
  run: getMerchant,
  summary: "One merchant with its documents and branches.",
  tag: "Merchants",
  params: idParams,
  reply: merchantReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { merchantsReply, merchantsWire } from "@/lib/http/wire/merchant";
import { listMerchants } from "@/lib/merchants/read-merchants";

export const GET = route({
  run: listMerchants,
  summary: "The merchants, newest first by default, for administrators.",
  tag: "Merchants",
  query: merchantsWire,
  reply: merchantsReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

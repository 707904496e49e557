import { customerExists } from "@/lib/cards/sign-up";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { existsReply } from "@/lib/http/wire/counter";
import { customerExistWire } from "@/lib/http/wire/merchant";

export const POST = route({
  run: customerExists,
  summary: "Whether an email has a card with this merchant.",
  tag: "Customers",
  body: customerExistWire,
  reply: existsReply,
  limit: "exists",
  example: { sEmail: "layla@customer.test", iMerchantId: "01999999-0000-7000-8000-000000000001" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

import { customerAssociation } from "@/lib/counter/serve-customer";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { existsReply, existsWire } from "@/lib/http/wire/counter";

export const POST = route({
  run: customerAssociation,
  summary: "Whether a customer has a card with the given merchant; false for another merchant's customer.",
  tag: "Counter",
  body: existsWire,
  reply: existsReply,
  example: {
    customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
    merchantId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { merchantsCustomerReply, merchantsCustomerWire } from "@/lib/http/wire/counter";
import { merchantsOfCustomer } from "@/lib/merchants/lookups";

export const POST = route({
  run: merchantsOfCustomer,
  summary: "The merchants where an email has a card, each with its branches.",
  tag: "Counter",
  body: merchantsCustomerWire,
  reply: merchantsCustomerReply,
  example: { sEmail: "layla@customer.test" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

import { viewCustomer } from "@/lib/counter/serve-customer";
import { route } from "@/lib/http/route";
import { viewReply } from "@/lib/http/wire/counter";
import { customerParams } from "@/lib/http/wire/customers";

export const GET = route({
  run: viewCustomer,
  summary: "One customer, by either id, with the merchant that holds the card.",
  tag: "Customers",
  params: customerParams,
  reply: viewReply,
});

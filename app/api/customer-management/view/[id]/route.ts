import { viewCustomer } from "@/lib/counter/serve-customer";
import { route } from "@/lib/http/route";
import { viewParams, viewReply } from "@/lib/http/wire/counter";

export const GET = route({
  run: viewCustomer,
  summary: "One customer, by either id, with the merchant that holds the card.",
  tag: "Customers",
  params: viewParams,
  reply: viewReply,
  errors: ["customer_not_found"],
});

import { viewCustomer } from "@/lib/counter/serve-customer";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { viewQuery, viewReply } from "@/lib/http/wire/counter";
import { customerParams } from "@/lib/http/wire/customers";

export const GET = route({
  run: viewCustomer,
  summary:
    "One customer, by either id, with the merchant that holds the card; with `at`, the balance as it stood at that instant.",
  tag: "Customers",
  params: customerParams,
  query: viewQuery,
  reply: viewReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

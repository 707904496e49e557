import { findCustomers } from "@/lib/counter/find-customers";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { searchQuery, searchReply } from "@/lib/http/wire/counter";

export const GET = route({
  run: findCustomers,
  summary:
    "Finds up to 20 customers to serve, by any three letters of their name, email, phone or customer id.",
  tag: "Counter",
  query: searchQuery,
  reply: searchReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

import { listCustomers } from "@/lib/customers/list-customers";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { customersReply, listCustomersQuery } from "@/lib/http/wire/customers";

export const GET = route({
  run: listCustomers,
  summary: "The caller's customers, newest first by default, by page or (faster) by cursor.",
  tag: "Customers",
  query: listCustomersQuery,
  reply: customersReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

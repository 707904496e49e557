import { blockCustomers } from "@/lib/customers/block-customers";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { blockCustomersReply, blockCustomersWire } from "@/lib/http/wire/customers";

export const POST = route({
  run: blockCustomers,
  summary:
    "Block active cards, or unblock blocked ones, up to 100 at once by their private ids. An unknown id refuses the whole call; frozen and erased cards stay as they are.",
  tag: "Customers",
  body: blockCustomersWire,
  reply: blockCustomersReply,
  message: "api.customersBlocked",
  example: {
    aCustomerIds: ["0198a3c2-7d10-7a5e-9b1f-3c2d4e5f6a7b"],
    eStatus: "blocked",
    sReason: "Cards of a former worker",
  },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");

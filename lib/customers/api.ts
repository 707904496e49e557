import { bind, tagged } from "@/lib/calls/bind";
import { blockCustomers, editCustomer } from "./edit-customer";
import { listCustomers } from "./list-customers";
import { customerCalls } from "./names";

export const customerApi = tagged("Customers", [
  bind(customerCalls.editCustomer, editCustomer, {
    summary:
      "Corrects a customer's name, phone or date of birth, or blocks or unblocks the card; what is left out stays.",
    message: "api.customerUpdated",
    example: { sFullName: "Layla Haddad", sPhoneNumber: "+974 5512 3456", eStatus: "active" },
  }),
  bind(customerCalls.blockCustomers, blockCustomers, {
    summary:
      "Blocks active cards, or unblocks blocked ones, up to 100 in one call by their private ids. An unknown id refuses the whole call; frozen and erased cards stay as they are.",
    message: "api.customersBlocked",
    example: {
      aCustomerIds: ["0198a3c2-7d10-7a5e-9b1f-3c2d4e5f6a7b"],
      eStatus: "blocked",
      sReason: "Cards of a former worker",
    },
  }),
  bind(customerCalls.listCustomers, listCustomers, {
    summary: "The caller's customers, newest first by default, by page or (faster) by cursor.",
  }),
]);

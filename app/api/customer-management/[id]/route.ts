import { editCustomer } from "@/lib/customers/edit-customer";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { customerParams, customerReply, editCustomerWire } from "@/lib/http/wire/customers";

export const PUT = route({
  run: editCustomer,
  summary:
    "Mend a customer's name, phone or date of birth, block or unblock the card; what is left out stays.",
  tag: "Customers",
  params: customerParams,
  body: editCustomerWire,
  reply: customerReply,
  message: "api.customerUpdated",
  example: { sFullName: "Layla Haddad", sPhoneNumber: "+974 5512 3456", eStatus: "active" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");

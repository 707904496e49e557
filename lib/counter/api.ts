import { bind, tagged } from "@/lib/calls/bind";
import { merchantsOfCustomer } from "@/lib/merchants/lookups";
import { findCard, findCustomers, searchPanel } from "./find";
import { counterCalls } from "./names";
import { customerAssociation, sendRedeemCode, viewCustomer } from "./serve-customer";

export const counterApi = tagged("Counter", [
  bind(counterCalls.viewCustomer, viewCustomer, {
    summary:
      "One customer, by either id, with the merchant that holds the card; with `at`, the balance as it stood at that instant.",
    tag: "Customers",
  }),
  bind(counterCalls.customerAssociation, customerAssociation, {
    summary: "Whether a customer has a card with the given merchant; false for another merchant's customer.",
    example: {
      customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
      merchantId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
    },
  }),
  bind(counterCalls.findCard, findCard, {
    summary:
      "The one customer with exactly this QR code (printed or live), phone or e-mail; contacts are masked. By phone or e-mail 60 times a minute for a key, 600 for a merchant.",
    example: { sPhoneNumber: "+974 5512 3456" },
  }),
  bind(counterCalls.merchantsOfCustomer, merchantsOfCustomer, {
    summary: "The merchants where an email has a card, each with its branches.",
    example: { sEmail: "layla@customer.test" },
  }),
  bind(counterCalls.sendRedeemCode, sendRedeemCode, {
    summary:
      "Mails the customer a code of six digits, good for 300 seconds. It is the sProof of a redemption of sPoints or less. Without sPoints the code is good for the merchant's daily allowance.",
    message: "api.otpSent",
    example: { customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57", sPoints: 80 },
  }),
  bind(counterCalls.findCustomers, findCustomers, {
    summary:
      "Finds up to 20 customers to serve, by any three letters of their name, email, phone or customer id.",
  }),
  bind(counterCalls.searchPanel, searchPanel, {
    summary:
      "Up to five customers, transactions (by reference or bill number), branches, workers and merchants for a term of three characters or more, within the caller's reach.",
    tag: "Activity",
  }),
]);

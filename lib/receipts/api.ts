import { bind, tagged } from "@/lib/calls/bind";
import { receiptCalls } from "./names";
import { printReceipt, viewReceipt } from "./receipts";

export const receiptApi = tagged("Transactions", [
  bind(receiptCalls.viewReceipt, viewReceipt, {
    summary:
      "The receipt of a transaction in both languages, as the next print would be. Nothing is counted.",
  }),
  bind(receiptCalls.printReceipt, printReceipt, {
    summary:
      "Counts a print of a transaction's receipt and answers what to print. Every print after the first is a copy.",
  }),
]);

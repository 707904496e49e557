import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { printedReceiptReply } from "@/lib/http/wire/receipt";
import { printReceipt } from "@/lib/receipts/print-receipt";
import { viewReceipt } from "@/lib/receipts/read-receipt";

const params = { id: "movementId" } as const;

export const GET = route({
  run: viewReceipt,
  summary: "The receipt of a transaction in both languages, as the next print would be. Nothing is counted.",
  tag: "Transactions",
  params,
  reply: printedReceiptReply,
});

export const POST = route({
  run: printReceipt,
  summary:
    "Counts a print of a transaction's receipt and answers what to print. Every print after the first is a copy.",
  tag: "Transactions",
  params,
  reply: printedReceiptReply,
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");

import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { transactionsQuery, transactionsReply } from "@/lib/http/wire/transactions";
import { listMovements } from "@/lib/ledger/read-movements";

export const GET = route({
  run: listMovements,
  summary: "The transactions that the caller may see, newest first by default, by filter and cursor.",
  tag: "Transactions",
  query: transactionsQuery,
  reply: transactionsReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

import { route } from "@/lib/http/route";
import { transactionsQuery, transactionsReply } from "@/lib/http/wire/transactions";
import { listMovements } from "@/lib/ledger/read-movements";

export const GET = route({
  run: listMovements,
  summary: "The transactions within the caller's reach, newest first unless sorted, by filter and cursor.",
  tag: "Transactions",
  query: transactionsQuery,
  reply: transactionsReply,
});

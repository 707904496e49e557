import { journalCsv } from "@/app/_panels/ledger-csv";
import { route } from "@/lib/http/route";
import { merchantQuery } from "@/lib/http/wire/ledger";
import { same } from "@/lib/http/wire/names";
import { exportJournal } from "@/lib/reports/journal";

export const GET = route({
  run: exportJournal,
  summary: "The ledger in double entry as CSV, a line a posting, streamed: each transaction adds up to zero.",
  tag: "Ledger",
  query: { ...same("from", "to"), ...merchantQuery },
  respond: { contentType: "text/csv", from: (parts) => journalCsv(parts) },
});

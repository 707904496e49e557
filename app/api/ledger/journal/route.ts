import { journalCsv } from "@/app/_panels/ledger-csv";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { merchantQuery } from "@/lib/http/wire/ledger";
import { same } from "@/lib/http/wire/names";
import { exportJournal } from "@/lib/reports/journal";

export const GET = route({
  run: exportJournal,
  summary:
    "The ledger in double entry as a CSV stream, one line per posting. The lines of each transaction add up to zero.",
  tag: "Ledger",
  query: { ...same("from", "to"), ...merchantQuery },
  respond: { contentType: "text/csv", from: (parts, ctx) => journalCsv(ctx.locale, parts) },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

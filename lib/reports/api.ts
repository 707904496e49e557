import { bind, tagged } from "@/lib/calls/bind";
import { customerTotals } from "./dashboard";
import { exportJournal, journalCsv } from "./journal";
import { liabilityCsv, liabilityReport } from "./liability";
import { reportCalls } from "./names";

export const reportApi = tagged("Ledger", [
  bind(reportCalls.exportJournal, exportJournal, {
    summary:
      "The ledger in double entry as a CSV stream, one line per posting. The lines of each transaction add up to zero.",
    respond: { contentType: "text/csv", from: (parts, ctx) => journalCsv(ctx.locale, parts) },
  }),
  bind(reportCalls.liabilityReport, liabilityReport, {
    summary:
      "The outstanding balances by pocket between two days and the movements that changed them; format=csv answers a file.",
    download: {
      contentType: "text/csv",
      from: ({ report, format }, ctx) => (format === "csv" ? liabilityCsv(ctx.locale, report) : null),
    },
  }),
  bind(reportCalls.customerTotals, customerTotals, {
    summary: "Totals of the caller's customers, as a list with one element.",
    tag: "Customers",
  }),
]);

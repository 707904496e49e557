import { liabilityCsv } from "@/app/_panels/ledger-csv";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { liabilityQuery, liabilityReply } from "@/lib/http/wire/ledger";
import { liabilityReport } from "@/lib/reports/liability";

export const GET = route({
  run: liabilityReport,
  summary:
    "The outstanding balances by pocket between two days and the movements that changed them; format=csv answers a file.",
  tag: "Ledger",
  query: liabilityQuery,
  reply: liabilityReply,
  download: {
    contentType: "text/csv",
    from: ({ report, format }, ctx) => (format === "csv" ? liabilityCsv(ctx.locale, report) : null),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

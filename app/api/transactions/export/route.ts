import { movementsCsv } from "@/app/_panels/movements-csv";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { exportQuery } from "@/lib/http/wire/transactions";
import { exportMovements } from "@/lib/ledger/read-movements";

export const GET = route({
  run: exportMovements,
  summary:
    "The filtered transactions as a CSV stream (UTF-8 with a byte order mark, RFC 4180, formulas escaped).",
  tag: "Transactions",
  query: exportQuery,
  respond: { contentType: "text/csv", from: (parts, ctx) => movementsCsv(ctx.locale, parts) },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");

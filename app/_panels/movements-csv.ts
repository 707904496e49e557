import { download } from "@/lib/api/download";
import { movementsCsv } from "@/lib/ledger/csv";
import { movementFilterSchema } from "@/lib/ledger/model/movement-queries";
import { exportMovements } from "@/lib/ledger/read-movements";

/** The filtered transactions as a CSV file. The API's export needs a token. */
export const downloadTransactions = download(exportMovements, {
  query: movementFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale }) => movementsCsv(locale, parts),
});

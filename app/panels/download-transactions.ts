import { movementFilterSchema } from "@/lib/domain/schemas/money";
import { pageContext } from "@/lib/http/page";
import { pageQuery } from "@/lib/http/query";
import { exportMovements } from "@/lib/ledger/export-movements";
import { movementsCsv } from "./movements-csv";

/** The log's filter as a CSV download, for the browser's session (the API's own call asks for a token). */
export async function downloadTransactions(request: Request): Promise<Response> {
  const ctx = await pageContext("movements.read");
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const filter = await pageQuery(movementFilterSchema, Promise.resolve(given));
  return movementsCsv(ctx.locale, await exportMovements(ctx, filter));
}

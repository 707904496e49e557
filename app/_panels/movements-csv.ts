import { downloadContext, pageQuery } from "@/lib/api/page";
import { confirmedDownload } from "@/lib/api/pipeline";
import { movementFilterSchema } from "@/lib/domain/movement-queries";
import { movementsCsv } from "@/lib/ledger/csv";
import { exportMovements } from "@/lib/ledger/read-movements";

/**
 * The filtered transactions as a CSV download (403 until the user confirmed who they are) for the browser's session
 * cookie. The API's export needs a token.
 */
export async function downloadTransactions(request: Request): Promise<Response> {
  const ctx = await downloadContext("movements.read");
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const filter = await pageQuery(movementFilterSchema, Promise.resolve(query));
  return confirmedDownload(ctx, exportMovements, filter, async () =>
    movementsCsv(ctx.locale, await exportMovements(ctx, filter)),
  );
}

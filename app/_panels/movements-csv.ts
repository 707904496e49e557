import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import { movementFilterSchema } from "@/lib/domain/movement-queries";
import type { LoggedMovement } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvLine, csvResponse } from "@/lib/http/csv";
import { downloadContext, pageQuery } from "@/lib/http/page";
import { confirmedDownload } from "@/lib/http/step-up";
import { customerNameOf } from "@/lib/i18n/customer-name";
import { translator } from "@/lib/i18n/translate";
import { exportMovements } from "@/lib/ledger/read-movements";

/** Movements as a CSV download in the user's language. The response is streamed. */
export function movementsCsv(
  locale: Locale,
  parts: AsyncIterable<LoggedMovement[]>,
  now = new Date(),
): Response {
  const t = translator(locale);
  const columns = [
    "reference",
    "time",
    "type",
    "customer",
    "customerId",
    "merchant",
    "branch",
    "by",
    "points",
    "value",
    "balanceAfter",
    "proof",
    "reverses",
    "reversedBy",
    "reason",
    "paid",
    "bonus",
    "tender",
    "saleRef",
    "refunds",
    "occurred",
  ] as const;
  const line = (movement: LoggedMovement) =>
    csvLine([
      movement.id,
      qatarTimestamp(movement.createdAt),
      t(`movements.types.${movement.type}`),
      customerNameOf(movement, locale),
      movement.customer.publicId,
      merchantName(movement.merchant, locale),
      movement.branch?.name ?? null,
      movement.actor.type === "user" ? movement.actor.name : t(`movements.actors.${movement.actor.type}`),
      movement.points,
      Number(cashValue(movement.points, movement.rate)),
      movement.balanceAfter,
      movement.type === "REDEEM" ? t(`movements.proofs.${movement.proof}`) : null,
      movement.reverses?.id ?? null,
      movement.reversedBy?.id ?? null,
      movement.reason,
      movement.paidPoints,
      movement.bonusPoints,
      movement.tender && t(`movements.tenders.${movement.tender}`),
      movement.saleRef,
      movement.refunds?.id ?? null,
      qatarTimestamp(movement.occurredAt),
    ]);
  async function* lines() {
    for await (const part of parts) yield part.map(line).join("");
  }
  const header = csvLine(columns.map((column) => t(`movements.csv.${column}`)));
  return csvResponse(`transactions-${qatarDay(now)}.csv`, header, lines());
}

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

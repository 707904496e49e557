import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvLine, csvResponse } from "@/lib/files/csv";
import { customerNameOf, translator } from "@/lib/i18n/translate";
import type { LoggedMovement } from "./model/movements";

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
    "receiptNumber",
    "code",
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
      movement.actor.name ?? t(`movements.actors.${movement.actor.type}`),
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
      movement.receiptNumber,
      movement.customerCode,
    ]);
  async function* lines() {
    for await (const part of parts) yield part.map(line).join("");
  }
  const header = csvLine(columns.map((column) => t(`transactionsCsv.${column}`)));
  return csvResponse(`transactions-${qatarDay(now)}.csv`, header, lines());
}

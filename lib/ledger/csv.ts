import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { customerNameOf, translator } from "@/lib/i18n/translate";
import type { LoggedMovement } from "./model/movements";

/** Movements as a CSV download in the user's language. The response is streamed. */
export function movementsCsv(
  locale: Locale,
  parts: AsyncIterable<LoggedMovement[]>,
  now = new Date(),
): Response {
  const t = translator(locale);
  return csvTable(
    `transactions-${qatarDay(now)}.csv`,
    parts,
    {
      reference: (movement) => movement.id,
      time: (movement) => qatarTimestamp(movement.createdAt),
      type: (movement) => t(`movements.types.${movement.type}`),
      customer: (movement) => customerNameOf(movement, locale),
      customerId: (movement) => movement.customer.publicId,
      merchant: (movement) => merchantName(movement.merchant, locale),
      branch: (movement) => movement.branch?.name ?? null,
      by: ({ actor }) => actor.name ?? t(`movements.actors.${actor.type}`),
      points: (movement) => movement.points,
      value: (movement) => Number(cashValue(movement.points, movement.rate)),
      balanceAfter: (movement) => movement.balanceAfter,
      proof: ({ type, proof }) => (type === "REDEEM" ? t(`movements.proofs.${proof}`) : null),
      reverses: (movement) => movement.reverses?.id ?? null,
      reversedBy: (movement) => movement.reversedBy?.id ?? null,
      reason: (movement) => movement.reason,
      paid: (movement) => movement.paidPoints,
      bonus: (movement) => movement.bonusPoints,
      tender: ({ tender }) => tender && t(`movements.tenders.${tender}`),
      saleRef: (movement) => movement.saleRef,
      refunds: (movement) => movement.refunds?.id ?? null,
      occurred: (movement) => qatarTimestamp(movement.occurredAt),
      receiptNumber: (movement) => movement.receiptNumber,
      code: (movement) => movement.customerCode,
    },
    (column) => t(`transactionsCsv.${column}`),
  );
}

import { cashValue } from "@/lib/domain/money";
import { type LoggedMovement, movementFilterSchema } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvLine, csvResponse } from "@/lib/http/csv";
import { pageContext, pageQuery } from "@/lib/http/page";
import { translator } from "@/lib/i18n/translate";
import { exportMovements } from "@/lib/ledger/read-movements";

/** Movements as a CSV download in the reader's language, made while it is sent. */
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
  const line = (one: LoggedMovement) =>
    csvLine([
      one.id,
      qatarTimestamp(one.createdAt),
      t(`movements.types.${one.type}`),
      one.customer.fullName,
      one.customer.publicId,
      one.merchant.businessName,
      one.branch?.name ?? null,
      one.actor.type === "user" ? one.actor.name : t(`movements.actors.${one.actor.type}`),
      one.points,
      Number(cashValue(one.points, one.rate)),
      one.balanceAfter,
      one.type === "REDEEM" ? t(`movements.proofs.${one.proof}`) : null,
      one.reverses?.id ?? null,
      one.reversedBy?.id ?? null,
      one.reason,
      one.paidPoints,
      one.bonusPoints,
      one.tender && t(`movements.tenders.${one.tender}`),
      one.saleRef,
      one.refunds?.id ?? null,
      qatarTimestamp(one.occurredAt),
    ]);
  async function* texts() {
    for await (const part of parts) yield part.map(line).join("");
  }
  const header = csvLine(columns.map((column) => t(`movements.csv.${column}`)));
  return csvResponse(`transactions-${qatarDay(now)}.csv`, header, texts());
}

/** The log's filter as a CSV download, for the browser's session (the API's own call asks for a token). */
export async function downloadTransactions(request: Request): Promise<Response> {
  const ctx = await pageContext("movements.read");
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const filter = await pageQuery(movementFilterSchema, Promise.resolve(given));
  return movementsCsv(ctx.locale, await exportMovements(ctx, filter));
}

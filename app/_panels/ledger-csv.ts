import { accountName, type JournalLine } from "@/lib/domain/journal";
import type { Liability, LiabilityFigures } from "@/lib/domain/liability";
import { cashValue } from "@/lib/domain/money";
import { qatarDay } from "@/lib/domain/time";
import { csvLine, csvResponse } from "@/lib/http/csv";
import { liabilityRows } from "@/lib/http/wire/ledger";

const qar = (dirhams: bigint) => Number(cashValue(dirhams, 1));

/**
 * The ledger as a journal in CSV, with a line per entry. The column names are English, because programs import it. The
 * amounts of a transaction add up to zero in points and in QAR.
 */
export function journalCsv(parts: AsyncIterable<JournalLine[]>, now = new Date()): Response {
  const header = csvLine([
    "date",
    "transaction",
    "type",
    "account",
    "points",
    "amount",
    "currency",
    "merchant",
  ]);
  async function* lines() {
    for await (const part of parts) {
      yield part
        .map((line) =>
          csvLine([
            qatarDay(line.createdAt),
            line.movementId,
            line.type,
            accountName(line),
            line.points,
            qar(line.dirhams),
            "QAR",
            line.merchant,
          ]),
        )
        .join("");
    }
  }
  return csvResponse(`journal-${qatarDay(now)}.csv`, header, lines());
}

/** The liability report as a CSV download: the total (if there are several merchants), then each merchant. */
export function liabilityCsv(report: Liability): Response {
  const header = csvLine(["merchant", "line", "from", "to", "paid", "bonus", "paid_qar", "bonus_qar"]);
  const rowsOf = (name: string, figures: LiabilityFigures) =>
    liabilityRows(figures)
      .map(([line, points, worth]) =>
        csvLine([
          name,
          line,
          report.from,
          report.to,
          points?.paid ?? null,
          points?.bonus ?? null,
          worth && qar(worth.paid),
          worth && qar(worth.bonus),
        ]),
      )
      .join("");
  async function* lines() {
    if (report.merchants.length !== 1) yield rowsOf("*", report.total);
    for (const { merchant, ...figures } of report.merchants) yield rowsOf(merchant.businessName, figures);
  }
  return csvResponse(`liability-${report.from}-${report.to}.csv`, header, lines());
}

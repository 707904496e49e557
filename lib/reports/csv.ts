import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvLine, csvResponse, csvTable } from "@/lib/files/csv";
import { translator } from "@/lib/i18n/translate";
import type { JournalLine } from "./journal";
import {
  LIABILITY_LINES,
  type Liability,
  type LiabilityFigures,
  type LiabilityLine,
  type PocketSums,
  type Worth,
} from "./model/liability";

const qar = (dirhams: bigint) => Number(cashValue(dirhams, 1));

// In journal formats, a colon separates an account from its parent, and two spaces end its name.
const part = (name: string) => name.replace(/[:;\s]+/g, " ").trim();

/** The full name of a line's account, from the top level down. */
function accountName({ account, tender, branchName }: JournalLine): string {
  const branch = branchName ? [part(branchName)] : [];
  const names = {
    tender: ["assets", "tender", tender ?? "other", ...branch],
    customers_paid: ["liabilities", "customers", "paid"],
    customers_bonus: ["liabilities", "customers", "bonus"],
    bonus_expense: ["expenses", "bonus"],
    redeemed: ["income", "redeemed", ...branch],
    expired: ["income", "expired"],
    imported: ["equity", "imported"],
    adjustments: ["equity", "adjustments"],
  };
  return names[account].join(":");
}

/**
 * The ledger as a journal in CSV, with a line per entry. Columns, types and accounts are English, because programs import
 * it; the merchant has the name that the user's language calls it. The amounts of a transaction add up to zero in points
 * and in QAR.
 */
export function journalCsv(locale: Locale, parts: AsyncIterable<JournalLine[]>, now = new Date()): Response {
  return csvTable(
    `journal-${qatarDay(now)}.csv`,
    parts,
    {
      date: (line) => qatarDay(line.createdAt),
      transaction: (line) => line.movementId,
      type: (line) => line.type,
      account: (line) => accountName(line),
      points: (line) => line.points,
      amount: (line) => qar(line.dirhams),
      currency: () => "QAR",
      merchant: (line) => merchantName(line, locale),
    },
    (column) => column,
  );
}

type ReportLine = `lines.${LiabilityLine}` | "opening" | "moved" | "revaluation" | "closing";

/** The rows of a report's table: opening, each line, moved, revaluation, closing; each with points and dirhams. */
function liabilityRows(of: LiabilityFigures): [ReportLine, PocketSums | null, Worth | null][] {
  return [
    ["opening", of.opening, of.worth.opening],
    ...LIABILITY_LINES.map((line): [ReportLine, PocketSums, null] => [`lines.${line}`, of.lines[line], null]),
    ["moved", null, of.worth.moved],
    ["revaluation", null, of.worth.revaluation],
    ["closing", of.closing, of.worth.closing],
  ];
}

const LIABILITY_COLUMNS = ["merchant", "line", "from", "to", "paid", "bonus", "paidQar", "bonusQar"] as const;

/**
 * The liability report as a CSV download in the user's language: the total (if there are several merchants), then each
 * merchant.
 */
export function liabilityCsv(locale: Locale, report: Liability): Response {
  const t = translator(locale);
  const header = csvLine(LIABILITY_COLUMNS.map((column) => t(`liability.csv.${column}`)));
  const rowsOf = (name: string, figures: LiabilityFigures) =>
    liabilityRows(figures)
      .map(([line, points, worth]) =>
        csvLine([
          name,
          t(`liability.${line}`),
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
    if (report.merchants.length !== 1) yield rowsOf(t("liability.total"), report.total);
    for (const { merchant, ...figures } of report.merchants) {
      yield rowsOf(merchantName(merchant, locale), figures);
    }
  }
  return csvResponse(`liability-${report.from}-${report.to}.csv`, header, lines());
}

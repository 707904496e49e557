import { notFound } from "next/navigation";
import { accountName, type JournalLine } from "@/lib/domain/journal";
import {
  type Liability,
  type LiabilityFigures,
  liabilityPageSchema,
  liabilityPeriod,
} from "@/lib/domain/liability";
import { merchantName } from "@/lib/domain/merchant-name";
import { cashValue } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay } from "@/lib/domain/time";
import { csvLine, csvResponse } from "@/lib/http/csv";
import { downloadContext, pageQuery, readOr404 } from "@/lib/http/page";
import { confirmedDownload } from "@/lib/http/step-up";
import { liabilityRows } from "@/lib/http/wire/ledger";
import { translator } from "@/lib/i18n/translate";
import { exportJournal } from "@/lib/reports/journal";
import { liability, liabilityReport } from "@/lib/reports/liability";

const qar = (dirhams: bigint) => Number(cashValue(dirhams, 1));

/**
 * The ledger as a journal in CSV, with a line per entry. Columns, types and accounts are English, because programs import
 * it; the merchant has the name that the user's language calls it. The amounts of a transaction add up to zero in points
 * and in QAR.
 */
export function journalCsv(locale: Locale, parts: AsyncIterable<JournalLine[]>, now = new Date()): Response {
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
            merchantName(line, locale),
          ]),
        )
        .join("");
    }
  }
  return csvResponse(`journal-${qatarDay(now)}.csv`, header, lines());
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

/** The query of a download from the liability page. Renders 404 for days in the wrong order. */
async function downloadQuery(request: Request) {
  const ctx = await downloadContext("reports.read");
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const { merchantId, ...days } = await pageQuery(liabilityPageSchema, Promise.resolve(given));
  const period = liabilityPeriod(days, qatarDay(ctx.clock()));
  if (period.from > period.to) notFound();
  const chosen = ctx.actor.role === "super_admin" ? merchantId : undefined;
  return { ctx, query: { ...period, merchantId: chosen } };
}

/** The liability report as a CSV download for the browser's session cookie. The API's call needs a token. */
export async function downloadLiability(request: Request): Promise<Response> {
  const { ctx, query } = await downloadQuery(request);
  return confirmedDownload(ctx, liabilityReport, { ...query, format: "csv" }, async () =>
    liabilityCsv(ctx.locale, await readOr404(liability, ctx, query)),
  );
}

/** The journal as a CSV download for the browser's session cookie. The API's call needs a token. */
export async function downloadJournal(request: Request): Promise<Response> {
  const { ctx, query } = await downloadQuery(request);
  return confirmedDownload(ctx, exportJournal, query, async () =>
    journalCsv(ctx.locale, await readOr404(exportJournal, ctx, query)),
  );
}

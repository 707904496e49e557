import { notFound } from "next/navigation";
import type { z } from "zod";
import { download } from "@/lib/api/download";
import type { PageContext } from "@/lib/api/page";
import { qatarDay } from "@/lib/domain/time";
import { journalCsv, liabilityCsv } from "@/lib/reports/csv";
import { exportJournal } from "@/lib/reports/journal";
import { liabilityReport } from "@/lib/reports/liability";
import { liabilityPageSchema, liabilityPeriod } from "@/lib/reports/model/liability";

type Asked = { query: z.output<typeof liabilityPageSchema>; ctx: PageContext };

/** The days and the merchant of a download from the liability page. Renders 404 for days in the wrong order. */
function downloadQuery({ query: { merchantId, ...days }, ctx }: Asked) {
  const period = liabilityPeriod(days, qatarDay(ctx.clock()));
  if (period.from > period.to) notFound();
  const chosen = ctx.actor.role === "super_admin" ? merchantId : undefined;
  return { ...period, merchantId: chosen };
}

/** The liability report as a CSV file. The API's call needs a token. */
export const downloadLiability = download(liabilityReport, {
  query: liabilityPageSchema,
  input: (asked) => ({ ...downloadQuery(asked), format: "csv" as const }),
  file: ({ report }, { locale }) => liabilityCsv(locale, report),
});

/** The journal as a CSV file. The API's call needs a token. */
export const downloadJournal = download(exportJournal, {
  query: liabilityPageSchema,
  input: downloadQuery,
  file: (lines, { locale }) => journalCsv(locale, lines),
});

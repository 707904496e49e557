import { notFound } from "next/navigation";
import { downloadContext, pageQuery, readOr404 } from "@/lib/api/page";
import { confirmedDownload } from "@/lib/api/pipeline";
import { liabilityPageSchema, liabilityPeriod } from "@/lib/domain/liability";
import { qatarDay } from "@/lib/domain/time";
import { journalCsv, liabilityCsv } from "@/lib/reports/csv";
import { exportJournal } from "@/lib/reports/journal";
import { liability, liabilityReport } from "@/lib/reports/liability";

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

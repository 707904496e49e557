import { notFound } from "next/navigation";
import type { z } from "zod";
import { activityFilterSchema } from "@/lib/activity/model";
import { activityCsv, activityReport } from "@/lib/activity/read-activity";
import { download } from "@/lib/api/download";
import type { PageContext } from "@/lib/api/page";
import { customersCsv, exportCustomers } from "@/lib/customers/list-customers";
import { customersFilterSchema } from "@/lib/customers/model/customers";
import { qatarDay } from "@/lib/domain/time";
import { movementFilterSchema } from "@/lib/ledger/model/movement-queries";
import { exportMovements, movementsCsv } from "@/lib/ledger/read-movements";
import { exportJournal, journalCsv } from "@/lib/reports/journal";
import { liabilityCsv, liabilityReport } from "@/lib/reports/liability";
import { liabilityPageSchema, liabilityPeriod } from "@/lib/reports/model/liability";
import { workersFilterSchema } from "@/lib/workers/model";
import { exportWorkers, workersCsv } from "@/lib/workers/workers";

export const downloadCustomers = download(exportCustomers, {
  query: customersFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale, clock }) => customersCsv(locale, parts, clock()),
});

export const downloadWorkers = download(exportWorkers, {
  query: workersFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale, clock }) => workersCsv(locale, parts, clock()),
});

// The API has these files too, but its calls need a token.
export const downloadTransactions = download(exportMovements, {
  query: movementFilterSchema,
  input: ({ query }) => query,
  file: (parts, { locale }) => movementsCsv(locale, parts),
});

export const downloadActivity = download(activityReport, {
  query: activityFilterSchema,
  input: ({ query }) => ({ ...query, format: "csv" as const }),
  file: ({ parts }, { locale }) => activityCsv(locale, parts),
});

type Asked = { query: z.output<typeof liabilityPageSchema>; ctx: PageContext };

/** Renders 404 for days in the wrong order. */
function downloadQuery({ query: { merchantId, ...days }, ctx }: Asked) {
  const period = liabilityPeriod(days, qatarDay(ctx.clock()));
  if (period.from > period.to) notFound();
  const chosen = ctx.actor.role === "super_admin" ? merchantId : undefined;
  return { ...period, merchantId: chosen };
}

export const downloadLiability = download(liabilityReport, {
  query: liabilityPageSchema,
  input: (asked) => ({ ...downloadQuery(asked), format: "csv" as const }),
  file: ({ report }, { locale }) => liabilityCsv(locale, report),
});

export const downloadJournal = download(exportJournal, {
  query: liabilityPageSchema,
  input: downloadQuery,
  file: (lines, { locale }) => journalCsv(locale, lines),
});

import { downloadContext, pageQuery } from "@/lib/api/page";
import { confirmedDownload } from "@/lib/api/pipeline";
import { customersCsv } from "@/lib/customers/csv";
import { exportCustomers } from "@/lib/customers/list-customers";
import { customersFilterSchema } from "@/lib/domain/customers";
import { workersFilterSchema } from "@/lib/domain/worker";
import { workersCsv } from "@/lib/workers/csv";
import { exportWorkers } from "@/lib/workers/export-workers";

const queryOf = (request: Request) => Promise.resolve(Object.fromEntries(new URL(request.url).searchParams));

/** The filtered customers as a CSV download (403 until the user confirmed who they are). */
export async function downloadCustomers(request: Request): Promise<Response> {
  const ctx = await downloadContext("customers.read");
  const filter = await pageQuery(customersFilterSchema, queryOf(request));
  return confirmedDownload(ctx, exportCustomers, filter, async () =>
    customersCsv(ctx.locale, await exportCustomers(ctx, filter), ctx.clock()),
  );
}

/** Answers the filtered employees as a CSV download (403 until the user has confirmed their identity). */
export async function downloadWorkers(request: Request): Promise<Response> {
  const ctx = await downloadContext("workers.manage");
  const filter = await pageQuery(workersFilterSchema, queryOf(request));
  return confirmedDownload(ctx, exportWorkers, filter, async () =>
    workersCsv(ctx.locale, await exportWorkers(ctx, filter), ctx.clock()),
  );
}

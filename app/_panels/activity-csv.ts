import { activityCsv } from "@/lib/activity/csv";
import { exportActivity } from "@/lib/activity/read-activity";
import { downloadContext, pageQuery } from "@/lib/api/page";
import { confirmedDownload } from "@/lib/api/pipeline";
import { activityFilterSchema } from "@/lib/domain/activity";

/** The filtered activity as a CSV download for the browser's session cookie. */
export async function downloadActivity(request: Request): Promise<Response> {
  const ctx = await downloadContext("activity.read");
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const filter = await pageQuery(activityFilterSchema, Promise.resolve(query));
  return confirmedDownload(ctx, exportActivity, filter, async () =>
    activityCsv(ctx.locale, await exportActivity(ctx, filter)),
  );
}

import { after } from "next/server";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { currentRequest } from "@/lib/observe/request";

/**
 * Runs queued jobs and e-mails after the response, where no worker runs. Call it after a write that may have queued
 * work. With a worker it does nothing, because the database notifies the worker.
 */
export function deliverInBackground(): void {
  if (env().WORKER !== "off") return;
  const served = currentRequest()?.served;
  if (served) {
    served.after(deliverNow);
    return;
  }
  try {
    after(deliverNow);
  } catch {
    // Outside a request (in a script or test) the cron route delivers.
  }
}

async function deliverNow(): Promise<void> {
  // Imported only when needed, since the queue would slow down every cold start.
  const { runDue } = await import("./run-due");
  await runDue().catch((error: unknown) => {
    log("error", "jobs", { error });
  });
}

import { after } from "next/server";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { currentRequest } from "@/lib/observe/request";

/** Runs jobs and e-mails after the response, if no worker does. Call it after a write that may queue some. */
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

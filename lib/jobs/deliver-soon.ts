import { after } from "next/server";
import { env } from "@/lib/env";

/**
 * Call after a write that may have queued work. Where no worker runs, the work is tried once the answer is out;
 * otherwise the worker was told by the database already.
 */
export function deliverSoon(): void {
  if (env().WORKER === "on") return;
  try {
    after(deliverNow);
  } catch {
    // Outside a request (a script, a test) the cron route's sweep delivers.
  }
}

async function deliverNow(): Promise<void> {
  // Read only when needed: the queue's machinery weighs on every cold start otherwise.
  const { runDue } = await import("./run-due");
  await runDue().catch((error: unknown) => {
    console.error("jobs:", error instanceof Error ? error.message : error);
  });
}

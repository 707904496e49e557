/** Runs once when the server starts: settings are checked before the first request, jobs run beside the pages. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { requiredEnv } = await import("@/lib/env");
  const env = requiredEnv();
  // Only commands need the owner's connection string, so a server removes it from its environment.
  if (process.env.DATABASE_OWNER_URL) {
    delete process.env.DATABASE_OWNER_URL;
    console.warn(
      "DATABASE_OWNER_URL was set for a server, and is ignored: only commands that migrate need it.",
    );
  }
  const { warnOfOneRole } = await import("@/lib/health/health");
  warnOfOneRole();
  const { recordSocketAddresses } = await import("@/lib/http/peer");
  recordSocketAddresses();
  const { registerTasks } = await import("@/lib/jobs/known-tasks");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  if (env.WORKER === "off") return;
  const { startWorker } = await import("@/lib/jobs/worker");
  startWorker();
}

/** Runs once when the server starts: settings are checked before the first request, jobs run beside the pages. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { requiredEnv } = await import("@/lib/env");
  const env = requiredEnv();
  const { log } = await import("@/lib/observe/log");
  const { captureConsole } = await import("@/lib/observe/console");
  captureConsole();
  // Before the first connection to the database, whose statements are traced. Unset, the SDK is not loaded.
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) (await import("@/lib/observe/start-tracing")).startTracing();
  // Only commands need the owner's connection string, so a server removes it from its environment.
  if (process.env.DATABASE_OWNER_URL) {
    delete process.env.DATABASE_OWNER_URL;
    log(
      "warn",
      "DATABASE_OWNER_URL was set for a server, and is ignored: only commands that migrate need it.",
    );
  }
  const { warnOfOneRole } = await import("@/lib/health/health");
  warnOfOneRole();
  const { recordSocketAddresses } = await import("@/lib/http/peer");
  recordSocketAddresses();
  const { observeRequests } = await import("@/lib/http/observe-requests");
  observeRequests(env.METRICS_PORT);
  if (env.METRICS_PORT) {
    const { startMetricsServer } = await import("@/lib/health/metrics-server");
    startMetricsServer({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  }
  const { registerCallerLookup } = await import("@/lib/http/caller-lookup");
  registerCallerLookup();
  const { registerTasks } = await import("@/lib/jobs/task-registry");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  await (await import("@/lib/http/own-server/install")).installOwnServer();
  if (env.WORKER !== "on") return;
  const { startWorker } = await import("@/lib/jobs/worker");
  startWorker();
}

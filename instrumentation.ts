// Set at the start, because this file is loaded on every runtime.
let onPageError: (error: unknown) => void = () => {};

/** Next reports each error of a page or a server action here before it writes the head of the answer. */
export function onRequestError(error: unknown): void {
  onPageError(error);
}

/** Runs once when the server starts: settings are checked before the first request, jobs run beside the pages. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { requiredEnv } = await import("@/lib/env");
  const env = requiredEnv();
  const { captureConsole, log } = await import("@/lib/observe/log");
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
  (await import("@/lib/api/health")).warnOfOneRole();
  (await import("@/lib/api/address")).recordSocketAddresses();
  const { markUnavailable, observeRequests } = await import("@/lib/api/observe-requests");
  observeRequests(env.METRICS_PORT);
  onPageError = markUnavailable;
  if (env.METRICS_PORT) {
    const { startMetricsServer } = await import("@/lib/api/metrics-server");
    startMetricsServer({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  }
  (await import("@/lib/api/caller-lookup")).registerCallerLookup();
  const { registerTasks } = await import("@/lib/jobs/task-registry");
  const { TASKS } = await import("@/lib/tasks");
  registerTasks(TASKS);
  // False in a build for Vercel, and in development: the table is then not part of this file's bundle.
  if (process.env.OWN_SERVER === "on") (await import("@/lib/api/server/install")).installOwnServer();
  if (env.WORKER === "on") (await import("@/lib/jobs/worker")).startWorker();
}

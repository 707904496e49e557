import { startMetricsServer } from "@/lib/api/metrics-server";
import { getDb } from "@/lib/db/client";
import { directUrl, requiredEnv } from "@/lib/env";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/observe/log";
import { startTracing } from "@/lib/observe/start-tracing";
import { TASKS } from "@/lib/tasks";
import { atEnd, runCommand, untilEnd } from "./lib/command";
import { assertMigrated } from "./lib/migrate";
import { loadSettings } from "./lib/settings";

// npm run worker: jobs and e-mails for servers with WORKER=separate. It ends after what it is running.
await runCommand(async () => {
  loadSettings();
  const env = requiredEnv();
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) startTracing();
  await assertMigrated(env.DATABASE_URL);
  if (env.METRICS_PORT) startMetricsServer({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  atEnd(() => getDb().$disconnect());
  const connectionString = directUrl() ?? env.DATABASE_URL;
  await untilEnd(runWorker({ connectionString, context: jobContext(), tasks: TASKS }));
  log("info", "the worker has started");
  return "stay";
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { startMetricsServer } from "@/lib/api/metrics-server";
import { getDb } from "@/lib/db/client";
import { directUrl, requiredEnv } from "@/lib/env";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { log } from "@/lib/observe/log";
import { startTracing } from "@/lib/observe/start-tracing";
import { TASKS } from "@/lib/tasks";
import { atEnd, runCommand } from "./lib/ending";
import { pendingMigrations } from "./lib/migrate";
import { projectRoot } from "./lib/project";

// npm run worker: the jobs and e-mails in a process of their own, for servers with WORKER=separate. It needs the settings of
// a server, whatever WORKER is here, and finishes what runs when it is stopped.
await runCommand(async () => {
  const file = join(projectRoot, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const env = requiredEnv();
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT) startTracing();
  const pending = await pendingMigrations(env.DATABASE_URL);
  if (pending.length > 0) {
    const names = pending.slice(0, 3).join(", ");
    throw new Error(
      `The database lacks ${pending.length} migrations or SQL texts (${names} …). Run: npm run migrate`,
    );
  }
  if (env.METRICS_PORT) startMetricsServer({ port: env.METRICS_PORT, host: env.METRICS_HOST });
  atEnd(() => getDb().$disconnect());
  const connectionString = directUrl() ?? env.DATABASE_URL;
  const worker = runWorker({ connectionString, context: jobContext(), tasks: TASKS });
  atEnd(worker.stop);
  log("info", "the worker has started");
  return "stay";
});

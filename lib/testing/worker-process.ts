import { createDb } from "@/lib/db/client";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { CORE_TASKS } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { deliverWebhooks } from "@/lib/webhooks/deliver";

// Runs a worker in a separate process, for tests that kill it. The task `stall` never ends.
const stall = () => new Promise<void>(() => undefined);
const connectionString = env().DATABASE_URL;
const context = { db: createDb(connectionString, 5), transport: transportFor(env()) };
runWorker({ connectionString, context, tasks: { ...CORE_TASKS, stall, deliver_webhooks: deliverWebhooks } });

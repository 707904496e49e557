import { setTimeout as pause } from "node:timers/promises";
import { type Runner, run } from "graphile-worker";
import { env } from "@/lib/env";
import {
  type JobContext,
  jobContext,
  knownTasks,
  queueOptions,
  queuePool,
  type TaskTable,
  taskList,
} from "./queue";

// Midnight in Qatar is 21:00 UTC; every hour as well, for a server that slept then.
const CRONTAB = `
* * * * * sweep ?max=1&jobKey=sweep
1 21 * * * daily_sums ?id=daily_sums_midnight&jobKey=daily_sums
7 * * * * daily_sums ?id=daily_sums_hourly&jobKey=daily_sums
`;

export type Worker = {
  /** Lets running jobs end, gives the others back, closes the connections. */
  stop(): Promise<void>;
};
export type WorkerOptions = {
  connectionString: string;
  context: JobContext;
  tasks: TaskTable;
  /** Milliseconds between two looks into the queue, for retries and poolers: new jobs are announced by LISTEN. */
  pollInterval?: number;
};

function pauseAfter(failures: number): number {
  return Math.min(15_000, 250 * 2 ** failures);
}

/** A worker of its own: starts again, waiting longer each time, for as long as the database cannot be reached. */
export function runWorker(options: WorkerOptions): Worker {
  const { connectionString, context, tasks, pollInterval = 1_000 } = options;
  const stopping = new AbortController();
  const pool = queuePool(connectionString);
  let runner: Runner | undefined;

  async function once(): Promise<void> {
    runner = await run({
      ...queueOptions(pool),
      pollInterval,
      taskList: taskList(tasks, context),
      crontab: CRONTAB,
    });
    if (stopping.signal.aborted) return runner.stop();
    await runner.addJob("daily_sums", {}, { jobKey: "daily_sums" });
    await runner.promise;
  }

  async function supervise(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const started = Date.now();
      try {
        await once();
      } catch (error) {
        console.error("jobs:", error instanceof Error ? error.message : error);
        await runner?.stop().catch(() => undefined);
      }
      failures = Date.now() - started > 60_000 ? 0 : failures + 1;
      await pause(pauseAfter(failures), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const running = supervise();
  return {
    async stop() {
      stopping.abort();
      // It rejects when it is stopped already.
      await runner?.stop().catch(() => undefined);
      await running;
      await pool.end();
    },
  };
}

const store = globalThis as typeof globalThis & { walletWorker?: Worker };

/** This process's worker, started once; it stops gracefully on SIGTERM and SIGINT. */
export function startWorker(): Worker {
  if (store.walletWorker) return store.walletWorker;
  const worker = runWorker({
    connectionString: env().DATABASE_URL,
    context: jobContext(),
    tasks: knownTasks(),
  });
  store.walletWorker = worker;
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void worker.stop());
  return worker;
}

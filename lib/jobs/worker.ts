import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import { EMAIL_LANES } from "@/lib/email/message";
import { MailLane } from "@/lib/email/outbox";
import { directUrl, env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { oncePerProcess } from "@/lib/observe/once";
import { Presence } from "./presence";
import { type JobContext, queueOptions, queuePool, type TaskTable, taskList } from "./queue";
import { jobContext, registeredTasks } from "./task-registry";

// Midnight in Qatar is 21:00 UTC. The hourly run is for a server that was down then. The sweep has the highest priority.
const CRONTAB = `
* * * * * sweep ?max=1&jobKey=sweep&priority=-20
* * * * * seal ?max=1&jobKey=seal
* * * * * apply_pending ?max=1&jobKey=apply_pending
0 21 * * * expire_bonus ?id=expire_bonus_midnight&jobKey=expire_bonus
9 * * * * expire_bonus ?id=expire_bonus_hourly&jobKey=expire_bonus
1 21 * * * daily_sums ?id=daily_sums_midnight&jobKey=daily_sums
7 * * * * daily_sums ?id=daily_sums_hourly&jobKey=daily_sums
17 * * * * mail_seals ?max=1&jobKey=mail_seals
* * * * * apply_email_changes ?max=1&jobKey=apply_email_changes
*/5 * * * * many_openings ?max=1&jobKey=many_openings
30 23 * * * mend_sums ?fill=1d&jobKey=mend_sums
`;

/** These tasks wait for Apple and Google, so they run beside the others, many at a time. */
const PASS_TASKS: readonly string[] = ["push_pass", "update_google_pass", "update_google_class"];
const PASS_CONCURRENCY = 16;
const PASSES_FETCHED = 32;

/** The tasks that read whole ledgers. A worker runs them beside the others, one at a time, because each takes long. */
const LEDGER_TASKS: readonly string[] = ["check_ledger", "mend_sums"];

/** Milliseconds for e-mails that are being sent when the worker stops; afterwards their connections are closed. */
const MAIL_SHUTDOWN_MS = 5_000;

export type JobWorker = {
  /** Finishes running jobs and e-mails, releases the other claims, and closes the connections. */
  stop(): Promise<void>;
};
export type WorkerOptions = {
  connectionString: string;
  context: JobContext;
  tasks: TaskTable;
  /** Milliseconds between polls of the queue, for retries and behind a pooler. LISTEN announces new jobs. */
  pollInterval?: number;
};

function logError(error: unknown): void {
  log("error", "jobs", { error });
}

async function retryUntil(stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  let failures = 0;
  while (!stop.aborted) {
    const started = Date.now();
    try {
      await work();
    } catch (error) {
      logError(error);
    }
    failures = Date.now() - started > 60_000 ? 0 : failures + 1;
    await pause(Math.min(15_000, 250 * 2 ** failures), undefined, { signal: stop }).catch(() => undefined);
  }
}

function queuesOf({ tasks, context }: WorkerOptions, pool: Pool): RunnerOptions[] {
  const usual = queueOptions(pool);
  const those = (wanted: (name: string) => boolean) =>
    taskList(Object.fromEntries(Object.entries(tasks).filter(([name]) => wanted(name))), context);
  const passes = { worker: { ...usual.preset.worker, localQueue: { size: PASSES_FETCHED } } };
  const isBeside = (name: string) => [...PASS_TASKS, ...LEDGER_TASKS].includes(name);
  const beside = [
    { concurrency: PASS_CONCURRENCY, preset: passes, taskList: those((name) => PASS_TASKS.includes(name)) },
    { concurrency: 1, taskList: those((name) => LEDGER_TASKS.includes(name)) },
  ];
  return [
    { ...usual, crontab: CRONTAB, taskList: those((name) => !isBeside(name)) },
    ...beside
      .filter((queue) => Object.keys(queue.taskList).length > 0)
      .map((queue) => ({ ...usual, ...queue })),
  ];
}

/** Starts the queues and e-mail lanes. While the database is away it restarts them with increasing delays. */
export function runWorker(options: WorkerOptions): JobWorker {
  const { connectionString, context, tasks, pollInterval = 1_000 } = options;
  const stopping = new AbortController();
  const stop = stopping.signal;
  const pool = queuePool(connectionString);
  const runners = new Set<Runner>();

  async function runQueue(presence: Presence, queue: RunnerOptions): Promise<void> {
    await presence.freeOwnJobs();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => presence.setJobPool(workerPool.id));
    const runner = await run({ ...queue, events, pollInterval });
    runners.add(runner);
    try {
      if (stop.aborted) return;
      if (queue.crontab) await runner.addJob("daily_sums", {}, { jobKey: "daily_sums" });
      await runner.promise;
    } finally {
      runners.delete(runner);
      // It rejects when it has already stopped.
      await runner.stop().catch(() => undefined);
    }
  }

  // Each with its own registration, because a registration names one pool of jobs.
  const keepQueue = (queue: RunnerOptions): Promise<void> =>
    retryUntil(stop, () =>
      Presence.during(pool, (presence) => retryUntil(stop, () => runQueue(presence, queue))),
    );

  /** Polls the posting outbox, since a posting does not notify the worker. */
  async function pollPostingOutbox(): Promise<void> {
    while (!stop.aborted) {
      await tasks.follow_postings?.(context, {});
      await pause(pollInterval, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  const work = (): Promise<void> =>
    Presence.during(pool, async ({ id: owner }) => {
      const sendWebhooks = tasks.deliver_webhooks;
      await Promise.all([
        ...queuesOf(options, pool).map(keepQueue),
        retryUntil(stop, pollPostingOutbox),
        ...(sendWebhooks ? [retryUntil(stop, () => sendWebhooks(context, { owner, stop }))] : []),
        ...EMAIL_LANES.map((lane) => new MailLane({ ...context, lane, owner, stop }).run()),
      ]);
    });

  const running = retryUntil(stop, work);
  return {
    async stop() {
      stopping.abort();
      const shutdownTimer = setTimeout(() => context.transport.close?.(), MAIL_SHUTDOWN_MS);
      await Promise.all([...runners].map((runner) => runner.stop().catch(() => undefined)));
      await running;
      clearTimeout(shutdownTimer);
      context.transport.close?.();
      await pool.end();
    },
  };
}

/** Starts the worker of this process, once. It stops gracefully on SIGTERM and SIGINT. */
export function startWorker(): JobWorker {
  return oncePerProcess("worker", () => {
    const worker = runWorker({
      connectionString: directUrl() ?? env().DATABASE_URL,
      context: jobContext(),
      tasks: registeredTasks(),
    });
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void worker.stop());
    return worker;
  });
}

import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Runner, run, type WorkerEvents } from "graphile-worker";
import { EMAIL_LANES } from "@/lib/email/lanes";
import { env } from "@/lib/env";
import { jobContext, knownTasks } from "./known-tasks";
import { MailLane } from "./mail-lane";
import { Presence } from "./presence";
import { type JobContext, queueOptions, queuePool, type TaskTable, taskList } from "./queue";

// Midnight in Qatar is 21:00 UTC; every hour as well, for a server that slept then. The sweep goes before everything.
const CRONTAB = `
* * * * * sweep ?max=1&jobKey=sweep&priority=-20
* * * * * seal ?max=1&jobKey=seal
0 21 * * * expire_bonus ?id=expire_bonus_midnight&jobKey=expire_bonus
9 * * * * expire_bonus ?id=expire_bonus_hourly&jobKey=expire_bonus
1 21 * * * daily_sums ?id=daily_sums_midnight&jobKey=daily_sums
7 * * * * daily_sums ?id=daily_sums_hourly&jobKey=daily_sums
17 * * * * mail_seals ?max=1&jobKey=mail_seals
30 23 * * * mend_sums ?fill=1d&jobKey=mend_sums
`;

/** Milliseconds that e-mails on their way get when the worker stops; afterwards their connections are closed. */
const LAST_MAIL_MS = 5_000;

export type Worker = {
  /** Lets running jobs and e-mails end, gives the others back, closes the connections. */
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

function report(error: unknown): void {
  console.error("jobs:", error instanceof Error ? error.message : error);
}

/**
 * A worker of its own: jobs, and apart from them each lane of e-mails. Starts again, waiting longer each time, for as
 * long as the database cannot be reached.
 */
export function runWorker(options: WorkerOptions): Worker {
  const { connectionString, context, tasks, pollInterval = 1_000 } = options;
  const stopping = new AbortController();
  const pool = queuePool(connectionString);
  let runner: Runner | undefined;

  async function runJobs(presence: Presence): Promise<void> {
    await presence.freeOwnJobs();
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => presence.setJobPool(workerPool.id));
    runner = await run({
      ...queueOptions(pool),
      events,
      pollInterval,
      taskList: taskList(tasks, context),
      crontab: CRONTAB,
    });
    if (stopping.signal.aborted) return runner.stop();
    await runner.addJob("daily_sums", {}, { jobKey: "daily_sums" });
    await runner.promise;
  }

  /** Follows what was posted: posting itself calls nobody, it leaves rows in its outbox. */
  async function followPostings(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tasks.follow_postings?.(context, {});
      await pause(pollInterval, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Runs it until the worker stops, again after each failure. */
  async function insist(work: () => Promise<void>): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const started = Date.now();
      try {
        await work();
      } catch (error) {
        report(error);
        await runner?.stop().catch(() => undefined);
      }
      failures = Date.now() - started > 60_000 ? 0 : failures + 1;
      await pause(pauseAfter(failures), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function work(): Promise<void> {
    const presence = await Presence.start(pool);
    const stop = stopping.signal;
    const lanes = EMAIL_LANES.map((lane) =>
      new MailLane({ ...context, lane, owner: presence.id, stop }).run(),
    );
    await Promise.all([insist(() => runJobs(presence)), insist(followPostings), ...lanes]);
    await presence.stop();
  }

  const running = insist(work);
  return {
    async stop() {
      stopping.abort();
      const lastMail = setTimeout(() => context.transport.close?.(), LAST_MAIL_MS);
      // It rejects when it is stopped already.
      await runner?.stop().catch(() => undefined);
      await running;
      clearTimeout(lastMail);
      context.transport.close?.();
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

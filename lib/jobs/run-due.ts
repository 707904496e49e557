import { EventEmitter } from "node:events";
import { runOnce, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import type { EmailLane } from "@/lib/email/lanes";
import { anyDue } from "@/lib/email/outbox";
import { env } from "@/lib/env";
import { jobContext, knownTasks } from "./known-tasks";
import { MailLane } from "./mail-lane";
import { Presence, takeOverFromDead } from "./presence";
import { type JobContext, queueOptions, queuePool, type TaskTable, taskList } from "./queue";

/** Milliseconds after which a run takes no further e-mails: functions live for a minute, and the next turn goes on. */
const MAIL_TURN_MS = 40_000;

type Work = (context: JobContext, tasks: TaskTable) => Promise<void>;

/**
 * One run at a time: who asks while one goes shares the next one, since what they queued may have come too late for
 * this one. A run has the context of whoever asked for it first.
 */
function oneAtATime(work: Work): Work {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (context: JobContext, tasks: TaskTable): Promise<void> => {
    const run = work(context, tasks).finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return (context, tasks) => {
    if (!current) return start(context, tasks);
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start(context, tasks);
      });
    return next;
  };
}

async function runJobs(pool: Pool, context: JobContext, tasks: TaskTable): Promise<void> {
  await takeOverFromDead(pool);
  await tasks.follow_postings?.(context, {});
  const presence = await Presence.start(pool);
  try {
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => presence.setJobPool(workerPool.id));
    await runOnce({ ...queueOptions(pool), events, taskList: taskList(tasks, context) });
  } finally {
    await presence.stop();
  }
}

async function runMail(pool: Pool, { db, transport }: JobContext, lane: EmailLane): Promise<void> {
  if (!(await anyDue(db, lane))) return;
  const presence = await Presence.start(pool);
  try {
    const stop = AbortSignal.timeout(MAIL_TURN_MS);
    await new MailLane({ db, transport, lane, owner: presence.id, stop, once: true }).run();
  } finally {
    await presence.stop();
  }
}

type Runs = { pool: Pool; jobs: Work; mail: Record<EmailLane, Work> };

// Kept globally: routes are bundled apart, and a pool each would use up the database's connections.
const store = globalThis as typeof globalThis & { walletRuns?: Map<string, Runs> };

function runsOf(connectionString: string): Runs {
  store.walletRuns ??= new Map();
  const known = store.walletRuns.get(connectionString);
  if (known) return known;
  const pool = queuePool(connectionString);
  const mail = (lane: EmailLane) => oneAtATime((context) => runMail(pool, context, lane));
  const runs: Runs = {
    pool,
    jobs: oneAtATime((context, tasks) => runJobs(pool, context, tasks)),
    mail: { account: mail("account"), receipt: mail("receipt") },
  };
  store.walletRuns.set(connectionString, runs);
  return runs;
}

/**
 * Does the queue's due work and delivers the due e-mails, and answers when none is left: for machines without a worker.
 * All calls of a process share one pool and one run at a time; what the caller queued before is tried when it answers.
 * E-mails and jobs run apart, so that a slow mail server holds up no job.
 */
export async function runDue(
  context: JobContext = jobContext(),
  tasks: TaskTable = knownTasks(),
  connectionString: string = env().DATABASE_URL,
): Promise<void> {
  const { jobs, mail } = runsOf(connectionString);
  // Jobs write receipts.
  const rest = jobs(context, tasks).then(() => mail.receipt(context, tasks));
  const ended = await Promise.allSettled([mail.account(context, tasks), rest]);
  for (const part of ended) if (part.status === "rejected") throw part.reason;
}

/** What the worker's clock does, then the due work: the cron route's whole turn. */
export async function runCron(
  context: JobContext = jobContext(),
  tasks: TaskTable = knownTasks(),
  connectionString: string = env().DATABASE_URL,
): Promise<void> {
  const turns = ["sweep", "expire_bonus", "seal", "daily_sums", "mail_seals"];
  for (const name of turns) await tasks[name]?.(context, {});
  await runDue(context, tasks, connectionString);
}

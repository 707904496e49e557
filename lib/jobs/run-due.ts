import { EventEmitter } from "node:events";
import { runOnce, type WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import type { EmailLane } from "@/lib/email/message";
import { hasDueEmails, MailLane } from "@/lib/email/outbox";
import { env } from "@/lib/env";
import { log } from "@/lib/observe/log";
import { oncePerProcess } from "@/lib/observe/once";
import { Presence, takeOverFromDead } from "./presence";
import { type JobContext, queueOptions, queuePool, type TaskTable, taskList } from "./queue";
import { jobContext, registeredTasks } from "./task-registry";

/** Milliseconds after which a run claims no more e-mails and webhooks: a serverless function lives for a minute. */
const DELIVERY_MS = 40_000;

type Run = (context: JobContext, tasks: TaskTable) => Promise<void>;

/** One run at a time. Calls meanwhile share the next (this may miss their jobs), with the first's context. */
function serialize(work: Run): Run {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  return (context, tasks) => {
    const start = (): Promise<void> => {
      next = undefined;
      current = work(context, tasks).finally(() => {
        current = undefined;
      });
      return current;
    };
    if (!current) return next ?? start();
    next ??= current.catch(() => undefined).then(start);
    return next;
  };
}

const runJobs = (pool: Pool, context: JobContext, tasks: TaskTable): Promise<void> =>
  Presence.during(pool, async (presence) => {
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => presence.setJobPool(workerPool.id));
    await runOnce({ ...queueOptions(pool), events, taskList: taskList(tasks, context) });
  });

async function runMail(pool: Pool, { db, transport }: JobContext, lane: EmailLane): Promise<void> {
  if (!(await hasDueEmails(db, lane))) return;
  await Presence.during(pool, async ({ id: owner }) => {
    const stop = AbortSignal.timeout(DELIVERY_MS);
    await new MailLane({ db, transport, lane, owner, stop, once: true }).run();
  });
}

async function runWebhooks(pool: Pool, context: JobContext, tasks: TaskTable): Promise<void> {
  const deliver = tasks.deliver_webhooks;
  if (!deliver) return;
  await Presence.during(pool, ({ id: owner }) =>
    deliver(context, { owner, stop: AbortSignal.timeout(DELIVERY_MS), once: true }),
  );
}

type Runs = Record<"follow" | "jobs" | "webhooks" | EmailLane, Run> & { pool: Pool };

const known = oncePerProcess("runs", () => new Map<string, Runs>());

function splitRuns(connectionString: string): Runs {
  const existing = known.get(connectionString);
  if (existing) return existing;
  const pool = queuePool(connectionString);
  const mail = (lane: EmailLane) => serialize((context) => runMail(pool, context, lane));
  const runs: Runs = {
    pool,
    follow: serialize(async (context, tasks) => {
      await takeOverFromDead(pool);
      await tasks.follow_postings?.(context, {});
    }),
    jobs: serialize((context, tasks) => runJobs(pool, context, tasks)),
    webhooks: serialize((context, tasks) => runWebhooks(pool, context, tasks)),
    account: mail("account"),
    receipt: mail("receipt"),
  };
  known.set(connectionString, runs);
  return runs;
}

/**
 * Runs all due jobs and e-mails, where no worker runs, and resolves when none are left; what the caller queued before has been
 * tried then. E-mails and jobs run side by side, so that a slow mail server delays no job, and a silent Apple or Google no
 * receipt. Throws when the database fails.
 */
export async function runDue(
  context: JobContext = jobContext(),
  tasks: TaskTable = registeredTasks(),
  connectionString: string = env().DATABASE_URL,
): Promise<void> {
  const { follow, jobs, webhooks, account, receipt } = splitRuns(connectionString);
  const followed = follow(context, tasks);
  // Beside the jobs, because those of passes wait for Apple and Google.
  const receipts = followed.then(() => receipt(context, tasks));
  // Jobs write e-mails too, such as links that strangers asked for.
  const jobsFirst = followed
    .then(() => jobs(context, tasks))
    .then(() => Promise.all([receipt(context, tasks), account(context, tasks)]));
  const sent = [account(context, tasks), receipts, jobsFirst, webhooks(context, tasks)];
  const results = await Promise.allSettled(sent);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** The work of the cron route. What fails keeps nothing else waiting. Throws the first error at the end. */
export async function runCron(context: JobContext, tasks: TaskTable): Promise<void> {
  const turns = [
    "sweep",
    "apply_pending",
    "expire_bonus",
    "seal",
    "daily_sums",
    "mail_seals",
    "many_openings",
    "apply_email_changes",
  ];
  const errors: unknown[] = [];
  const note = (task: string) => (error: unknown) => {
    log("error", "jobs", { task, error });
    errors.push(error);
  };
  for (const name of turns) await tasks[name]?.(context, {}).catch(note(name));
  await runDue(context, tasks).catch(note("run_due"));
  if (errors.length > 0) throw errors[0];
}

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { oncePerProcess } from "./once";
import { poolSizes } from "./pools";

/** Seconds. A top-up is expected well below 0.1, a page below 0.5. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function counter<Label extends string>(registry: Registry, name: string, help: string, labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  buckets = SECONDS,
) {
  return new Histogram({ name, help, labelNames, buckets, registers: [registry] });
}

function makeMetrics() {
  const to = new Registry();
  const connections = new Gauge({
    name: "wallet_pool_connections",
    help: "Connections to the database by pool and state, and requests that wait for one",
    labelNames: ["pool", "state"] as const,
    registers: [to],
    collect() {
      connections.reset();
      for (const { pool, ...states } of poolSizes()) {
        for (const [state, count] of Object.entries(states)) connections.inc({ pool, state }, count);
      }
    },
  });
  return {
    registry: to,
    requests: counter(to, "wallet_http_requests_total", "Answered requests", ["route", "method", "status"]),
    requestSeconds: histogram(
      to,
      "wallet_http_request_duration_seconds",
      "Time from a request's headers to the end of its answer",
      ["route", "method"],
    ),
    refusals: counter(to, "wallet_refusals_total", "Requests and actions refused, by error code", ["code"]),
    postings: counter(to, "wallet_postings_total", "Rows posted to the ledger, by outcome", [
      "type",
      "outcome",
    ]),
    postingSeconds: histogram(
      to,
      "wallet_posting_duration_seconds",
      "Time from a posting's request to its outcome",
      [],
    ),
    batchRows: histogram(
      to,
      "wallet_posting_batch_rows",
      "Rows in one batch sent to the database",
      ["lane"],
      [1, 2, 5, 10, 20, 50, 100, 200],
    ),
    reads: counter(
      to,
      "wallet_lagging_reads_total",
      "Reads that may use a replica, by the server that answered",
      ["server"],
    ),
    jobs: counter(to, "wallet_jobs_total", "Jobs run, by outcome (done, failed)", ["task", "outcome"]),
    jobSeconds: histogram(to, "wallet_job_duration_seconds", "Time that a job ran", ["task"]),
    webhooks: counter(to, "wallet_webhooks_total", "Attempts to deliver a webhook (succeeded, failed)", [
      "outcome",
    ]),
    mails: counter(to, "wallet_mails_total", "Attempts to send an e-mail (sent, failed, refused)", [
      "lane",
      "outcome",
    ]),
  };
}

export type Metrics = ReturnType<typeof makeMetrics>;

/** The counters of this process. Counting is in memory and costs no statement. */
export function metrics(): Metrics {
  return oncePerProcess("metrics", makeMetrics);
}

/** Counts a posting by its outcome and its time. Answers the same result. */
export async function observePosting<T extends { outcome: string }>(
  type: string,
  posting: Promise<T>,
): Promise<T> {
  const { postings, postingSeconds } = metrics();
  const stop = postingSeconds.startTimer();
  try {
    const answer = await posting;
    postings.inc({ type, outcome: answer.outcome });
    return answer;
  } catch (error) {
    postings.inc({ type, outcome: "error" });
    throw error;
  } finally {
    stop();
  }
}

/** Counts a job by its outcome and its time. Answers the same result. */
export async function observeJob<T>(task: string, work: () => Promise<T>): Promise<T> {
  const { jobs, jobSeconds } = metrics();
  const stop = jobSeconds.startTimer({ task });
  let outcome = "failed";
  try {
    const result = await work();
    outcome = "done";
    return result;
  } finally {
    stop();
    jobs.inc({ task, outcome });
  }
}

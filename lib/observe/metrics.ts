import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { oncePerProcess } from "./once";
import { poolSizes } from "./pools";

/** Seconds. A top-up is expected well below 0.1, a page below 0.5. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = SECONDS,
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  const connections = new Gauge({
    name: "wallet_pool_connections",
    help: "Connections to the database by pool and state, and requests that wait for one",
    labelNames: ["pool", "state"] as const,
    registers,
    collect() {
      connections.reset();
      for (const { pool, ...states } of poolSizes()) {
        for (const [state, count] of Object.entries(states)) connections.inc({ pool, state }, count);
      }
    },
  });
  const [request, posting] = [
    "Time from a request's headers to the end of its answer",
    "Time from a posting's request to its outcome",
  ];
  const sizes = [1, 2, 5, 10, 20, 50, 100, 200];
  return {
    registry,
    requests: counter("wallet_http_requests_total", "Answered requests", "route", "method", "status"),
    requestSeconds: histogram("wallet_http_request_duration_seconds", request, ["route", "method"]),
    refusals: counter("wallet_refusals_total", "Requests and actions refused, by error code", "code"),
    postings: counter("wallet_postings_total", "Rows posted to the ledger, by outcome", "type", "outcome"),
    postingSeconds: histogram("wallet_posting_duration_seconds", posting, []),
    batchRows: histogram(
      "wallet_posting_batch_rows",
      "Rows in one batch sent to the database",
      ["lane"],
      sizes,
    ),
    reads: counter(
      "wallet_lagging_reads_total",
      "Reads that may use a replica, by the server that answered",
      "server",
    ),
    jobs: counter("wallet_jobs_total", "Jobs run, by outcome (done, failed)", "task", "outcome"),
    jobSeconds: histogram("wallet_job_duration_seconds", "Time that a job ran", ["task"]),
    webhooks: counter(
      "wallet_webhooks_total",
      "Attempts to deliver a webhook (succeeded, failed)",
      "outcome",
    ),
    mails: counter(
      "wallet_mails_total",
      "Attempts to send an e-mail (sent, failed, refused)",
      "lane",
      "outcome",
    ),
  };
}

/** The counters of this process. Counting is in memory and costs no statement. */
export const metrics = () => oncePerProcess("metrics", makeMetrics);

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

import type { Db } from "@/lib/db/client";
import { isCommittedHereOnly, isConnectionLost, isDatabaseUnavailable, sqlState } from "@/lib/db/faults";
import { DomainError } from "@/lib/domain/errors";
import { metrics, observePosting } from "@/lib/observe/metrics";
import { oncePerProcess } from "@/lib/observe/once";
import { inSpan, traceparent } from "@/lib/observe/trace";
import { type Connection, type Outcome, type Posting, postOver } from "./batch";
import {
  beginPosting,
  LANE_CONNECTIONS,
  type Lane as LaneName,
  type PostingPools,
  postingPools,
} from "./posting-pool";

const BATCH = 200;
const ATTEMPTS = 5;
/** How long a row waits for a customer that another transaction holds, in milliseconds. */
export const PATIENCE = 10_000;
const RETRY_SECONDS = 2;

type Waiting = {
  row: Posting;
  /** Rows of one card, as they name it: they are never in two batches at once. */
  card: string;
  /** The key is the client's, who may repeat the request. */
  keyed: boolean;
  until: number;
  trace: string | null;
  /** A connection broke after the row was sent: it may be posted. */
  mayBePosted?: boolean;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
};

/** `cards` are those in a batch now. */
type Lane = { waiting: Waiting[]; inFlight: number; cards: Set<string> };
/** `keys` are those that API keys are posting under now. */
type Lanes = { pools: PostingPools; fast: Lane; slow: Lane; keys: Set<string> };

const all = oncePerProcess("posting lanes", () => new WeakMap<PostingPools, Lanes>());

const lane = (): Lane => ({ waiting: [], inFlight: 0, cards: new Set() });

function lanesOf(db: Db): Lanes {
  const pools = postingPools(db);
  const lanes = all.get(pools) ?? { pools, fast: lane(), slow: lane(), keys: new Set<string>() };
  all.set(pools, lanes);
  return lanes;
}

/**
 * Posts one row. Postings that wait while batches are in flight share the next one, so many of them cost one round trip
 * and one commit. A row whose customer another transaction holds waits in a slow lane and holds up nobody else.
 * `keyed`: the key is the client's. Throws unavailable (nothing was posted, or a repeat with the key answers it) when
 * the customer stays locked for 10 seconds or the database is away, outcome_unknown when a row without a client's key
 * may have been posted.
 */
export function post(db: Db, row: Posting, { keyed = false }: { keyed?: boolean } = {}): Promise<Outcome> {
  const lanes = lanesOf(db);
  const own = row.apiKey && `${row.apiKey} ${row.key}`;
  if (own && lanes.keys.has(own)) {
    return Promise.resolve({ outcome: "in_progress", limit: null, balance: null });
  }
  if (own) lanes.keys.add(own);
  const posting = new Promise<Outcome>((resolve, reject) => {
    const card = (row.customer ?? row.reverses ?? row.refunds ?? row.key).toLowerCase();
    lanes.fast.waiting.push({
      row,
      card,
      keyed,
      until: Date.now() + PATIENCE,
      trace: traceparent(),
      resolve,
      reject,
    });
    pump(lanes, "fast");
  });
  return observePosting(row.type, posting).finally(() => own && lanes.keys.delete(own));
}

/** Takes rows whose cards are in no batch now: of the fast lane a batch, of the slow one those of one card. */
function take(from: Lane, name: LaneName): Waiting[] {
  const taken: Waiting[] = [];
  const left: Waiting[] = [];
  for (const waiting of from.waiting) {
    const alone = name === "slow" && taken.length > 0 && taken[0]?.card !== waiting.card;
    if (taken.length >= BATCH || alone || from.cards.has(waiting.card)) left.push(waiting);
    else taken.push(waiting);
  }
  from.waiting = left;
  for (const { card } of taken) from.cards.add(card);
  return taken;
}

/** Sends what waits in a lane. The slow one takes a card at a time, for the second of its lock time-out. */
function pump(lanes: Lanes, name: LaneName): void {
  const lane = lanes[name];
  while (lane.inFlight < LANE_CONNECTIONS && lane.waiting.length > 0) {
    if (name === "slow") refuseLate(lane);
    const batch = take(lane, name);
    if (batch.length === 0) return;
    lane.inFlight++;
    void flush(lanes, name, batch).finally(() => {
      lane.inFlight--;
      for (const { card } of batch) lane.cards.delete(card);
      pump(lanes, name);
    });
  }
}

function refuseLate(lane: Lane): void {
  const late = lane.waiting.filter(({ until }) => until <= Date.now());
  lane.waiting = lane.waiting.filter((one) => !late.includes(one));
  for (const one of late) one.reject(notAnswered(one, new Error("the customer stays locked")));
}

/**
 * Posts a batch. Rows of the fast lane whose card is locked go to the slow one; those of the slow lane, to its end. The rows
 * of a failed batch are tried one by one, so that a bad row fails no other, but not after a lost connection.
 */
async function flush(lanes: Lanes, name: LaneName, batch: Waiting[]): Promise<void> {
  try {
    const outcomes = await send(lanes, name, batch);
    for (const [index, one] of batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome) one.reject(new Error("the ledger did not answer a row"));
      else if (outcome.outcome !== "busy") one.resolve(outcome);
      else lanes.slow.waiting.push(one);
    }
    pump(lanes, "slow");
  } catch (error) {
    const isHereOnly = error instanceof CommittedHereOnly;
    if (name === "slow" && isBusy(error)) lanes.slow.waiting.push(...batch);
    else if (batch.length > 1 && !isConnectionLost(error) && !isHereOnly) {
      for (const one of batch) await flush(lanes, name, [one]);
    } else {
      const cause = error instanceof Sent ? error.cause : error;
      for (const one of batch) {
        if (isHereOnly) one.reject(outcomeUnknown(cause));
        else one.reject(isDatabaseUnavailable(cause) || isBusy(cause) ? notAnswered(one, cause) : cause);
      }
    }
  }
}

/** Sends a batch, as a span of the first request's trace with links to the others. Rows of the fast lane do not wait. */
function send({ pools }: Lanes, lane: LaneName, batch: Waiting[]): Promise<Outcome[]> {
  metrics().batchRows.observe({ lane }, batch.length);
  const [from = null, ...also] = batch.map(({ trace }) => trace);
  return inSpan("post batch", { from, also, attributes: { "wallet.rows": batch.length } }, () =>
    postWithRetry(pools, lane, batch),
  );
}

/** The connection broke after the rows were sent: nobody knows whether they were posted. */
class Sent extends Error {
  override readonly name = "Sent";
}

/** The rows were posted, and the standby may not have them. */
class CommittedHereOnly extends Error {
  override readonly name = "CommittedHereOnly";
}

const outcomeUnknown = (cause: unknown) => new DomainError("outcome_unknown", {}, [], { cause });
/** A repeat with the client's key answers a row. Without one, only a row that was never sent may be tried again. */
const notAnswered = (one: Waiting, cause: unknown) =>
  one.mayBePosted && !one.keyed
    ? outcomeUnknown(cause)
    : new DomainError("unavailable", { seconds: RETRY_SECONDS }, [], { cause });

/**
 * Posts over a connection of the pool. Nothing was posted after a deadlock or a serialization failure, so the rows go
 * again; after a broken connection they do once more, since their keys keep a second posting from counting twice.
 */
async function postWithRetry(pools: PostingPools, lane: LaneName, batch: Waiting[]): Promise<Outcome[]> {
  const rows = batch.map((one) => one.row);
  const skip = lane === "fast";
  let sent: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      const outcomes = await over(pools, lane, (connection) => postOver(connection, rows, { skip }));
      return outcomes.map((outcome, index) => asPosted(outcome, batch[index]));
    } catch (error) {
      if (error instanceof CommittedHereOnly) throw error;
      if (error instanceof Sent) for (const one of batch) one.mayBePosted = true;
      if (error instanceof Sent && sent === undefined) sent = error;
      else if (sent) throw sent;
      else if (attempt === ATTEMPTS || !AGAIN.has(sqlState(error))) throw error;
    }
  }
}

/** Our own repeat replays a key that only we know, so the first try posted it. Answers "posted" then. */
function asPosted(outcome: Outcome, one: Waiting | undefined): Outcome {
  if (outcome.outcome !== "replayed" || !("movement" in outcome)) return outcome;
  if (one?.keyed || !one?.mayBePosted) return outcome;
  return { ...outcome, outcome: "posted" };
}

async function over<T>(
  pools: PostingPools,
  lane: LaneName,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pools[lane].connect();
  let broken: Error | undefined;
  let isSent = false;
  let isHereOnly = false;
  const listen = (notice: { routine?: string | undefined }) => {
    isHereOnly ||= isCommittedHereOnly(notice);
  };
  client.on("notice", listen);
  try {
    const end = await beginPosting(client, lane);
    isSent = true;
    try {
      const answer = await run(client);
      await end("COMMIT");
      if (isHereOnly) throw new CommittedHereOnly("the standby may not have the posting");
      return answer;
    } catch (error) {
      if (!isConnectionLost(error)) await end("ROLLBACK");
      throw error;
    }
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    broken = error instanceof Error ? error : new Error(String(error));
    if (isHereOnly) throw new CommittedHereOnly("the standby may not have the posting", { cause: error });
    throw isSent ? new Sent("the connection broke", { cause: error }) : error;
  } finally {
    client.off("notice", listen);
    client.release(broken);
  }
}

const LOCK_NOT_AVAILABLE = "55P03";
const isBusy = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;
/** Deadlock detected, serialization failure. */
const AGAIN = new Set(["40P01", "40001"]);

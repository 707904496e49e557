import type { Db } from "@/lib/db/client";
import { DomainError } from "@/lib/domain/errors";
import { type Outcome, type Posting, postBatch } from "./batch";

const BATCH = 200;
const IN_FLIGHT = 2;
const ATTEMPTS = 5;

type Waiting = { row: Posting; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
type Queue = { waiting: Waiting[]; inFlight: number };

const queues = new WeakMap<Db, Queue>();

/**
 * Posts one row. Postings that wait while batches are in flight share the next one, so many of them cost one
 * round trip and one commit. Throws unavailable when the customer stays locked for 10 seconds.
 */
export function post(db: Db, row: Posting): Promise<Outcome> {
  const queue = queues.get(db) ?? { waiting: [], inFlight: 0 };
  queues.set(db, queue);
  return new Promise((resolve, reject) => {
    queue.waiting.push({ row, resolve, reject });
    pump(db, queue);
  });
}

function pump(db: Db, queue: Queue): void {
  while (queue.inFlight < IN_FLIGHT && queue.waiting.length > 0) {
    queue.inFlight++;
    void flush(db, queue.waiting.splice(0, BATCH)).finally(() => {
      queue.inFlight--;
      pump(db, queue);
    });
  }
}

async function flush(db: Db, batch: Waiting[]): Promise<void> {
  try {
    const outcomes = await persistently(db, batch);
    for (const [index, outcome] of outcomes.entries()) batch[index]?.resolve(outcome);
  } catch (error) {
    const state = stateOf(error);
    // A customer that stays locked, or a row the database cannot read, is that row's trouble alone.
    if (batch.length > 1 && (state === LOCK_NOT_AVAILABLE || /^2[23]/.test(state))) {
      await Promise.all(batch.map((one) => flush(db, [one])));
      return;
    }
    const busy = state === LOCK_NOT_AVAILABLE;
    const reason = busy ? new DomainError("unavailable", {}, [], { cause: error }) : error;
    for (const one of batch) one.reject(reason);
  }
}

/** Two batches that meet on the same keys can deadlock; nothing was posted then, so they go again. */
async function persistently(db: Db, batch: Waiting[]): Promise<Outcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await postBatch(
        db,
        batch.map((one) => one.row),
      );
    } catch (error) {
      if (attempt === ATTEMPTS || !AGAIN.has(stateOf(error))) throw error;
    }
  }
}

const LOCK_NOT_AVAILABLE = "55P03";
/** Deadlock detected, serialization failure. */
const AGAIN = new Set(["40P01", "40001"]);

/** The SQLSTATE of a failed raw query, or "". */
function stateOf(error: unknown): string {
  const meta = error instanceof Error && "meta" in error ? error.meta : undefined;
  const driver = (meta as { driverAdapterError?: { cause?: { originalCode?: string } } } | undefined)
    ?.driverAdapterError;
  return driver?.cause?.originalCode ?? "";
}

import type { Db, Tx } from "@/lib/db/client";
import { isDatabaseUnavailable, sqlState } from "@/lib/db/faults";
import { DomainError } from "@/lib/domain/errors";

/** Milliseconds: for the lock, for one statement, and for the transaction, which postings wait for. */
const LIMITS = { lock: 1_500, statement: 2_000, transaction: 4_000 };
const RETRY_SECONDS = 5;

/** Lock not available, transaction timeout. */
const TIMED_OUT = new Set(["55P03", "25P04"]);

/** Runs a transaction that may stop every posting, for seconds at most. Throws unavailable; nothing is changed then. */
export async function withinPostingLimits<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db.$transaction(async (tx) => {
      await tx.$queryRaw`
        select set_config('lock_timeout', ${String(LIMITS.lock)}, true),
          set_config('statement_timeout', ${String(LIMITS.statement)}, true),
          set_config('transaction_timeout', ${String(LIMITS.transaction)}, true)`;
      return await work(tx);
    });
  } catch (error) {
    if (!TIMED_OUT.has(sqlState(error)) && !isDatabaseUnavailable(error)) throw error;
    throw new DomainError("unavailable", { seconds: RETRY_SECONDS }, [], { cause: error });
  }
}

/** Keeps every posting out until the transaction ends. Call it in `withinPostingLimits` only. */
export async function lockPostings(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(posting_lock())`;
}

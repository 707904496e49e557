import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "@/lib/db/client";

/**
 * Waits until all transactions that are open now, in any database of the server, have ended, so that their movements can
 * be sealed and counted. Other test files have open transactions too.
 */
export async function waitForOpenTransactions(db: Db): Promise<void> {
  const [mine] = await db.$queryRaw<{ xid: bigint }[]>`select pg_current_xact_id()::text::bigint as xid`;
  const isPast = async () => {
    const [now] = await db.$queryRaw<{ past: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${mine?.xid ?? 0n} as past`;
    return now?.past ?? false;
  };
  // Another file's transaction may be open for 20 seconds: asking without a pause would take a core from it.
  while (!(await isPast())) await pause(10);
}

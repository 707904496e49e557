import { expect } from "vitest";
import type { Db, Tx } from "@/lib/db/client";

/**
 * Runs an operation that waits for the locks of `hold`, does `meanwhile` once it waits (or is over, where it needs none of
 * these locks), and then lets it go on. Answers how it ended.
 */
export async function heldBack<T>(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  operation: () => Promise<T>,
  meanwhile: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<PromiseSettledResult<T>> {
  const { ended } = await db.$transaction(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await hold(tx);
    let over = false;
    const ended = Promise.allSettled([operation()]).finally(() => {
      over = true;
    });
    const waits = () =>
      db.$queryRaw<unknown[]>`select 1 from pg_stat_activity where ${pid}::int = any (pg_blocking_pids(pid))`;
    await expect.poll(async () => over || (await waits()).length > 0, { timeout: 10_000 }).toBe(true);
    await meanwhile(tx);
    return { ended };
  });
  const [outcome] = await ended;
  return outcome;
}

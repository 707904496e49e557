import { expect } from "vitest";
import type { Db, Tx } from "@/lib/db/client";

/**
 * Starts operations one after the other while `hold` keeps its locks: the next one once all before it wait for a lock or
 * are over. Then the locks go. Answers how each operation ended.
 */
export async function heldBack(
  db: Db,
  hold: (tx: Tx) => Promise<unknown>,
  ...operations: (() => Promise<unknown>)[]
): Promise<PromiseSettledResult<unknown>[]> {
  const { ended } = await db.$transaction(
    async (tx) => {
      await hold(tx);
      const started: Promise<unknown>[] = [];
      let running = 0;
      const allWait = async () => {
        const [row] = await db.$queryRaw<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
        return (row?.n ?? 0) >= running;
      };
      for (const operation of operations) {
        running += 1;
        const over = () => {
          running -= 1;
        };
        const run = operation();
        run.then(over, over);
        started.push(run);
        await expect.poll(allWait, { timeout: 10_000 }).toBe(true);
      }
      return { ended: Promise.allSettled(started) };
    },
    { timeout: 180_000 },
  );
  return ended;
}

/** For heldBack: keeps a user's row, as a change of it does. */
export const holdUser = (id: string) => (tx: Tx) =>
  tx.$queryRaw`select 1 from users where id = ${id}::uuid for update`;

/** For heldBack: keeps a card's row, as a posting does. */
export const holdCard = (id: string) => (tx: Tx) =>
  tx.$queryRaw`select 1 from customers where id = ${id}::uuid for update`;

import type { Task } from "./queue";

const CUSTOMERS_PER_RUN = 500;

/**
 * Removes expired bonus points, a few hundred customers per transaction. Idempotent. Skips locked customers, whose bonus
 * expires in the next run or at their next movement.
 */
export const expireBonus: Task = async ({ db }) => {
  for (;;) {
    const [row] = await db.$queryRaw<
      { expired: number }[]
    >`select expire_bonus(${CUSTOMERS_PER_RUN}::int) as expired`;
    if (!row?.expired) return;
  }
};

import type { Task } from "./queue";

const AT_A_TIME = 500;

/**
 * Takes bonus that ended, a few hundred customers a transaction. Safe to repeat; a customer who is locked now is left
 * to the next run or to their next movement.
 */
export const expireBonus: Task = async ({ db }) => {
  for (;;) {
    const [row] = await db.$queryRaw<
      { expired: number }[]
    >`select expire_bonus(${AT_A_TIME}::int) as expired`;
    if (!row?.expired) return;
  }
};

import type { Db } from "./client";

/**
 * Whether the ledger is kept apart from this program: its role cannot write movements but through the ledger's
 * functions. False where DATABASE_URL signs in as the owner.
 */
export async function isApart(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ apart: boolean }[]>`
    select not has_table_privilege('movements', 'insert, update, delete, truncate') as apart`;
  return row?.apart ?? false;
}

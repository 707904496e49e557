import type { Db } from "./client";

/**
 * Whether the program's database role can write movements only through the ledger's functions. False if DATABASE_URL
 * uses the owner's role.
 */
export async function hasSeparateRole(db: Db): Promise<boolean> {
  const [row] = await db.$queryRaw<{ apart: boolean }[]>`
    select not has_table_privilege('movements', 'insert, update, delete, truncate') as apart`;
  return row?.apart ?? false;
}

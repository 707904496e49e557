import type { Db } from "@/lib/db/client";

/**
 * Waits until every transaction that began before has ended, in any database of the server: what they posted can be
 * sealed and counted. Other files of tests hold transactions open too.
 */
export async function pastHorizon(db: Db): Promise<void> {
  const [mine] = await db.$queryRaw<{ xid: bigint }[]>`select pg_current_xact_id()::text::bigint as xid`;
  const isPast = async () => {
    const [now] = await db.$queryRaw<{ past: boolean }[]>`
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${mine?.xid ?? 0n} as past`;
    return now?.past ?? false;
  };
  while (!(await isPast()));
}

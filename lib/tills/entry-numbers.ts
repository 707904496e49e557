import type { Db, Tx } from "@/lib/db/client";
import { MAX_NUMBER_JUMP } from "./model/offline-counter";

/** The largest number that the database stores. */
export const MAX_NUMBER = 2_147_483_647;
// Above this, the last number may be a jump of the time before jumps were refused. No till counts this far.
const SUSPECT = 1_000_000_000;

/**
 * The last number that a till's key has used; 0 before any. `former`: the thumbprint of a replaced key, which counts on
 * from the till's own entries. Numbers after a jump that an older version took do not count: the till could not go on.
 */
export async function lastNumber(db: Db | Tx, tillId: string, former: string | null): Promise<number> {
  const last = await db.offlineEntry.findFirst({
    where: { tillId, OR: [{ formerKey: null }, { formerKey: former }] },
    orderBy: { n: "desc" },
    select: { n: true },
  });
  if (!last || last.n < SUSPECT) return last?.n ?? 0;
  const [before] = await db.$queryRaw<{ n: number }[]>`
    select n from (
      select n, lead(n) over (order by n) as next
      from (
        select 0 as n union all
        select n from offline_entries
        where till_id = ${tillId}::uuid and (former_key is null or former_key = ${former})
      ) used
    ) steps
    where next is null or next - n > ${MAX_NUMBER_JUMP} order by n limit 1`;
  return before?.n ?? 0;
}

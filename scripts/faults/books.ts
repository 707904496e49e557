import type { Db } from "@/lib/db/client";
import { verifyMerchant } from "@/lib/ledger/verify";
import { type Load, withDb } from "./load";

const SET = 5_000;
/** One refused posting among so many is the most. */
const REFUSED_AT_MOST = 20;

export type Books = {
  /** Postings with an answer, and the movements found for them. */
  acknowledged: number;
  found: number;
  /** Acknowledged and not there, or there with other points or another id. */
  lost: number;
  /** Movements beyond one a key, or of a posting that was refused. */
  doubled: number;
  /** The other faults, a line each. */
  wrong: string[];
};

async function movementsOf(db: Db, keys: string[]) {
  return db.movement.findMany({
    where: { idempotencyKey: { in: keys } },
    select: { id: true, idempotencyKey: true, points: true },
    take: 10 * SET,
  });
}

/** Compares what the clients were answered with what the ledger holds, and verifies the ledger. */
export function auditBooks(ownerUrl: string, load: Load): Promise<Books> {
  return withDb(ownerUrl, async (db) => {
    const all = [...load.postings.values()].filter(({ answer }) => answer);
    const books: Books = { acknowledged: all.length, found: 0, lost: 0, doubled: 0, wrong: [] };
    for (let at = 0; at < all.length; at += SET) {
      const set = all.slice(at, at + SET);
      const movements = await movementsOf(
        db,
        set.map(({ key }) => key),
      );
      const byKey = Map.groupBy(movements, ({ idempotencyKey }) => idempotencyKey);
      for (const { key, points, path, answer } of set) {
        const found = byKey.get(key) ?? [];
        const wanted = answer?.movementId ? 1 : 0;
        const signed = path.endsWith("redeem-points") ? -points : points;
        const right = found.some(({ id, points }) => id === answer?.movementId && points === signed);
        books.found += found.length;
        if (wanted && !right) books.lost++;
        books.doubled += Math.max(0, found.length - wanted);
      }
    }
    const refusals = all.flatMap(({ answer }) => answer?.refusal ?? []);
    // If nothing is posted, nothing can be lost.
    if (refusals.length > all.length / REFUSED_AT_MOST) {
      books.wrong.push(`${refusals.length} were refused: ${[...new Set(refusals)].join(", ")}`);
    }
    for (const [answer, times] of load.senseless) books.wrong.push(`${times} times ${answer}`);
    const answered = all.filter(({ answer }) => answer?.movementId).length;
    const total = await db.movement.count({ where: { merchantId: load.shop.merchantId } });
    if (total !== answered) books.wrong.push(`${total} movements, ${answered} acknowledged`);
    const verdict = await verifyMerchant(db, load.shop.merchantId);
    if (verdict.firstWrong) books.wrong.push(JSON.stringify(verdict.firstWrong));
    return books;
  });
}

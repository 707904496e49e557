import { expect } from "vitest";
import { verifyMerchant } from "@/lib/ledger/verify";
import { withDb } from "@/scripts/lib/with-db";
import type { Load } from "./load";

const SET = 5_000;
/** One refused posting among so many is the most: if nothing is posted, nothing can be lost. */
const REFUSED_AT_MOST = 20;

type Row = {
  name: string;
  /** The longest silence, in milliseconds, that is allowed. */
  patience: number;
  remark?: string | undefined;
};

/** Compares what the clients were answered with what the ledger holds, verifies the ledger, and prints the figures. */
export function auditBooks(ownerUrl: string, load: Load, { name, patience, remark }: Row): Promise<void> {
  return withDb(ownerUrl, async (db) => {
    const { merchantId } = load.shop;
    const all = [...load.postings.values()].filter(({ answer }) => answer);
    // Lost: acknowledged and not there, or there with other points or another id. Doubled: movements beyond one a key, or
    // of a posting that was refused.
    let [found, lost, doubled] = [0, 0, 0];
    for (let at = 0; at < all.length; at += SET) {
      const set = all.slice(at, at + SET);
      const movements = await db.movement.findMany({
        where: { idempotencyKey: { in: set.map(({ key }) => key) } },
        select: { id: true, idempotencyKey: true, points: true },
        take: 10 * SET,
      });
      const byKey = Map.groupBy(movements, ({ idempotencyKey }) => idempotencyKey);
      for (const { key, points, path, answer } of set) {
        const rows = byKey.get(key) ?? [];
        const wanted = answer?.movementId ? 1 : 0;
        const signed = path.endsWith("redeem-points") ? -points : points;
        const right = rows.some(({ id, points }) => id === answer?.movementId && points === signed);
        found += rows.length;
        if (wanted && !right) lost++;
        doubled += Math.max(0, rows.length - wanted);
      }
    }
    const silence = load.longestSilence;
    const figures = [`${all.length} acked`, `${found} found`, `${lost} lost`, `${doubled} doubled`];
    console.log(
      [`${name}: ${figures.join(", ")}, ${silence} ms of silence`, remark].filter(Boolean).join("; "),
    );
    const { firstWrong } = await verifyMerchant(db, merchantId);
    const posted = all.filter(({ answer }) => answer?.movementId).length;
    const movements = await db.movement.count({ where: { merchantId } });
    expect({ lost, doubled, movements, firstWrong, senseless: [...load.senseless] }).toEqual({
      lost: 0,
      doubled: 0,
      movements: posted,
      firstWrong: null,
      senseless: [],
    });
    const refusals = all.flatMap(({ answer }) => answer?.refusal ?? []);
    expect(refusals.length, `refused: ${[...new Set(refusals)]}`).toBeLessThanOrEqual(
      all.length / REFUSED_AT_MOST,
    );
    expect(silence, "longest silence, in ms").toBeLessThanOrEqual(patience);
  });
}

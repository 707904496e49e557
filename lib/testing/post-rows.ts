import { randomUUID } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { MerchantFixture } from "./factories";

/** A row for post_movements; the migration's comment says what each field means. The house's owner posts it. */
export type GivenRow = {
  type: "TOP_UP" | "REDEEM" | "REVERSAL" | "REFUND" | "BONUS" | "IMPORT" | "ADJUSTMENT";
  customer?: string;
  points?: number;
  reverses?: string;
  refunds?: string;
  reason?: string;
  tender?: "cash" | "card" | "bank" | "online" | "other";
  sale_ref?: string;
  ends_at?: Date;
  at?: Date;
};
type Posted = { outcome: string; movement_id: string; points: number };

/** Posts rows of all types through the ledger's own function, and answers what became of them. */
async function postRows(
  db: Db | Tx,
  { owner, branch, merchant }: MerchantFixture,
  rows: GivenRow[],
): Promise<Posted[]> {
  const given = rows.map((row, idx) => {
    const key = randomUUID();
    const redeem = row.type === "REDEEM" ? { proof: "live_code", proof_ref: key } : {};
    return {
      ...row,
      ...redeem,
      idx,
      key,
      hash: key,
      actor: owner.id,
      scope: "merchant",
      scope_merchant: merchant.id,
      branch: branch.id,
    };
  });
  return db.$queryRaw<Posted[]>`
    select outcome, movement_id::text, points from post_movements(${JSON.stringify(given)}::jsonb, true) order by idx`;
}

/** As postRows, one row. Throws when the ledger refuses it; answers the movement's id. */
export async function postRow(db: Db | Tx, house: MerchantFixture, row: GivenRow): Promise<string> {
  const [posted] = await postRows(db, house, [row]);
  if (posted?.outcome !== "posted") throw new Error(`the ledger refused: ${posted?.outcome}`);
  return posted.movement_id;
}

/** Numbers from 0 to 1 by chance, the same for the same seed. */
export function byChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Movements of every type for the customers, by chance; what the ledger refuses is left out. Answers how many stand. */
export async function postAtRandom(
  db: Db,
  house: MerchantFixture,
  customers: { id: string }[],
  { rounds, from }: { rounds: number; from?: Date },
  chance: () => number = byChance(1),
): Promise<number> {
  const known: string[] = [];
  let stand = 0;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  for (let round = 0; round < rounds; round++) {
    const at = from ? new Date(from.getTime() + round * 6 * 3_600_000) : undefined;
    const rows = customers.map(({ id }): GivenRow => {
      const points = 1 + Math.floor(chance() * 90);
      const reason = "by chance";
      const kind = Math.floor(chance() * 10);
      if (kind < 3 || round === 0) {
        return {
          type: "TOP_UP",
          customer: id,
          points: points + 50,
          tender: pick(["cash", "card", "bank"]),
          at,
        };
      }
      if (kind < 6) return { type: "REDEEM", customer: id, points, sale_ref: `B-${points}`, at };
      if (kind === 6) {
        const ends = new Date((at ?? new Date()).getTime() + (1 + (points % 8)) * 6 * 3_600_000);
        return { type: "BONUS", customer: id, points, reason, ends_at: pick([ends, undefined]), at };
      }
      if (kind === 7) return { type: "REVERSAL", reverses: pick(known), reason, at };
      if (kind === 8) return { type: "REFUND", refunds: pick(known), points: 1 + (points % 9), reason, at };
      return { type: pick(["IMPORT", "ADJUSTMENT"] as const), customer: id, points, reason, at };
    });
    for (const row of rows) {
      const [posted] = await postRows(db, house, [row]);
      if (posted?.outcome !== "posted") continue;
      known.push(posted.movement_id);
      stand += 1;
    }
  }
  return stand;
}

import { randomUUID } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { MerchantFixture } from "./factories";

/** A row for post_movements. The comment of its file in prisma/functions describes the fields. The merchant's owner posts it, or an API key. */
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
  apiKey?: string;
};
type Posted = { outcome: string; movement_id: string; points: number };

/** Posts rows of any type through the ledger's function, and answers their outcomes. */
async function postRows(
  db: Db | Tx,
  { owner, branch, merchant }: MerchantFixture,
  rows: GivenRow[],
): Promise<Posted[]> {
  const given = rows.map(({ apiKey, ...row }, idx) => {
    const key = randomUUID();
    const redeem = row.type === "REDEEM" ? { proof: "live_code", proof_ref: key } : {};
    return {
      ...row,
      ...redeem,
      idx,
      key,
      hash: key,
      ...(apiKey ? { actor_type: "api_key", api_key: apiKey } : { actor: owner.id }),
      scope: "merchant",
      scope_merchant: merchant.id,
      branch: branch.id,
    };
  });
  return db.$queryRaw<Posted[]>`
    select outcome, movement_id::text, points from post_movements(${JSON.stringify(given)}::jsonb, true) order by idx`;
}

/** Posts one row and answers the movement's id. Throws when the ledger refuses it. */
export async function postRow(db: Db | Tx, shop: MerchantFixture, row: GivenRow): Promise<string> {
  const [posted] = await postRows(db, shop, [row]);
  if (posted?.outcome !== "posted") throw new Error(`the ledger refused: ${posted?.outcome}`);
  return posted.movement_id;
}

/** A random number generator from 0 to 1, with the same sequence for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Posts random movements of all types for the customers, in rounds. Answers how many the ledger accepted. */
export async function postAtRandom(
  db: Db,
  shop: MerchantFixture,
  customers: { id: string }[],
  { rounds, from }: { rounds: number; from?: Date },
  random: () => number = seededRandom(1),
): Promise<number> {
  const known: string[] = [];
  let accepted = 0;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  for (let round = 0; round < rounds; round++) {
    const at = from ? new Date(from.getTime() + round * 6 * 3_600_000) : undefined;
    const rows = customers.map(({ id }): GivenRow => {
      const points = 1 + Math.floor(random() * 90);
      const reason = "by chance";
      const kind = Math.floor(random() * 10);
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
      const [posted] = await postRows(db, shop, [row]);
      if (posted?.outcome !== "posted") continue;
      known.push(posted.movement_id);
      accepted += 1;
    }
  }
  return accepted;
}

import { randomUUID } from "node:crypto";
import type { Db } from "@/lib/db/client";
import type { Branch, Customer, Merchant, User } from "@/lib/db/generated/client";
import { type PostedRow, postBatch } from "@/lib/ledger/batch";
import type { Tender } from "@/lib/ledger/model/tender";

type PostedAt = { merchant: Merchant; branch: Branch; owner: User };

/**
 * Posts one movement through the ledger, by the merchant's owner, at a past time (default: now). Points are unsigned. A
 * redemption has a proof; `reverses` makes it a reversal. Throws when the ledger refuses it.
 */
export async function move(
  db: Db,
  { merchant, branch, owner }: PostedAt,
  customer: Pick<Customer, "id">,
  row: {
    type?: "TOP_UP" | "REDEEM";
    points?: number;
    reverses?: string;
    at?: Date;
    actor?: User;
    tender?: Tender;
  },
): Promise<PostedRow> {
  const key = randomUUID();
  const type = row.reverses ? "REVERSAL" : (row.type ?? "TOP_UP");
  const [outcome] = await postBatch(
    db,
    [
      {
        type,
        customer: customer.id,
        branch: branch.id,
        actor: (row.actor ?? owner).id,
        scope: "merchant",
        scopeMerchant: merchant.id,
        points: row.points,
        reverses: row.reverses,
        reason: row.reverses ? "Wrong amount" : undefined,
        key,
        hash: key,
        at: row.at,
        tender: row.tender,
        ...(type === "REDEEM" ? { proof: "live_code" as const, proofRef: key } : {}),
      },
    ],
    { quiet: true },
  );
  if (outcome && "movement" in outcome) return outcome.movement;
  throw new Error(`the ledger refused: ${outcome?.outcome ?? "no answer"}`);
}

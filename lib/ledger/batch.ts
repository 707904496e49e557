import type { Db, Tx } from "@/lib/db/client";
import type { MovementType } from "@/lib/domain/movements";

/** Who posts: a user's id (the usual), a key's, or a card holder and the system, who have none. */
export type PostingActor =
  | { actorType?: "user"; actor: string; apiKey?: undefined }
  | { actorType: "api_key"; apiKey: string; actor?: undefined }
  | { actorType: "card_holder" | "system"; actor?: undefined; apiKey?: undefined };

/** What a row for post_movements asks for; the migration's comment says what each field means. */
export type PostingRow = {
  type: MovementType;
  /** The customer's private or public id; a reversal finds it by its original. */
  customer?: string;
  /** Where a user or a key posts; a card holder stands at none. */
  branch?: string;
  scope: "any" | "merchant" | "own";
  scopeMerchant?: string | null;
  namedMerchant?: string;
  /** Unsigned, but for an ADJUSTMENT. */
  points?: number;
  reverses?: string;
  reason?: string;
  key: string;
  hash: string;
  proof?: "none" | "live_code" | "mailed_code" | "invalid";
  proofRef?: string;
  /** Null or absent: the database's clock, read once the customer is locked. */
  at?: Date | null;
};

/** One row for post_movements. */
export type Posting = PostingActor & PostingRow;

type Refusal =
  | "key_reused"
  | "not_found"
  | "branch_mismatch"
  | "customer_blocked"
  | "customer_frozen"
  | "customer_erased"
  | "merchant_unavailable"
  | "own_card"
  | "below_minimum"
  | "above_maximum"
  | "balance_limit"
  | "daily_cap"
  | "insufficient_balance"
  | "proof_required"
  | "proof_invalid"
  | "undo_expired"
  | "not_latest"
  | "not_reversible"
  | "already_spent";

export type PostedRow = {
  id: string;
  type: MovementType;
  points: number;
  balanceAfter: number;
  rate: number;
  seq: number;
  createdAt: Date;
  reason: string | null;
  reversesId: string | null;
  customer: { id: string; publicId: string; fullName: string };
  /** Null where nobody stood at a branch. */
  branch: { id: string; name: string } | null;
  /** The user who posted it; null when it was no user. */
  actor: { id: string; name: string } | null;
  undoUntil: Date | null;
};

/** What became of one row: a movement, or a refusal with the bound it met and the balance there was. */
export type Outcome =
  | { outcome: "posted" | "replayed"; movement: PostedRow }
  | { outcome: Refusal; limit: number | null; balance: number | null };

type Raw = {
  outcome: "posted" | "replayed" | Refusal;
  allowed: number | null;
  balance: number | null;
  movement_id: string;
  type: MovementType;
  points: number;
  balance_after: number;
  rate: number;
  seq: number;
  created_at: Date;
  reason: string | null;
  reverses_id: string | null;
  customer_id: string;
  public_id: string;
  full_name: string;
  branch_id: string | null;
  branch_name: string | null;
  actor_id: string | null;
  actor_name: string | null;
  undo_until: Date | null;
};

/**
 * Posts rows in one round trip and one transaction (or the caller's), answering one outcome a row in their order.
 * `quiet` hands nothing to the job queue: no receipts, no pushes (seeds and imports of the past).
 */
export async function postBatch(
  db: Db | Tx,
  rows: readonly Posting[],
  { quiet = false }: { quiet?: boolean } = {},
): Promise<Outcome[]> {
  const json = JSON.stringify(rows.map(toRow));
  const answers = await db.$queryRaw<
    Raw[]
  >`SELECT * FROM post_movements(${json}::jsonb, ${quiet}) ORDER BY idx`;
  return answers.map(toOutcome);
}

function toRow(row: Posting, idx: number) {
  const { scopeMerchant, namedMerchant, proofRef, proof = "none", actorType, apiKey, ...same } = row;
  return {
    ...same,
    idx,
    proof,
    actor_type: actorType,
    api_key: apiKey,
    scope_merchant: scopeMerchant,
    named_merchant: namedMerchant,
    proof_ref: proofRef,
  };
}

function toOutcome(raw: Raw): Outcome {
  if (raw.outcome !== "posted" && raw.outcome !== "replayed") {
    return { outcome: raw.outcome, limit: raw.allowed, balance: raw.balance };
  }
  const movement = {
    id: raw.movement_id,
    type: raw.type,
    points: raw.points,
    balanceAfter: raw.balance_after,
    rate: raw.rate,
    seq: raw.seq,
    createdAt: raw.created_at,
    reason: raw.reason,
    reversesId: raw.reverses_id,
    customer: { id: raw.customer_id, publicId: raw.public_id, fullName: raw.full_name },
    branch: named(raw.branch_id, raw.branch_name),
    actor: named(raw.actor_id, raw.actor_name),
    undoUntil: raw.undo_until,
  };
  return { outcome: raw.outcome, movement };
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });

/** Keeps every posting out until the transaction ends: for a change that what is outstanding decides on. */
export async function lockPostings(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(posting_lock())`;
}
